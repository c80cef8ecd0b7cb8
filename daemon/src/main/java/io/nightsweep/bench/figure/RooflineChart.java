package io.nightsweep.bench.figure;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** Operations per second over operations per byte, below the machine's own limits. */
final class RooflineChart {
  private static final int GRID = 60;
  private static final double LEAST = 0.1;

  private RooflineChart() {}

  static List<Figure> of(Measurements m) throws IOException {
    List<Point> points =
        m.points().stream()
            .filter(p -> p.flopsPerSecond().isPresent() && p.flopsPerByte().isPresent())
            .toList();
    if (points.isEmpty() || m.limits().isEmpty()) {
      return List.of();
    }
    Measurements.Limits limits = m.limits().get();
    LineChart lines = new LineChart("Roofline", "operations a byte", "Gflop/s");
    double most = points.stream().mapToDouble(p -> p.flopsPerByte().orElseThrow()).max().orElse(1);
    for (Map.Entry<String, Double> peak : limits.flopsPerSecond().entrySet()) {
      double[] x = grid(4 * most);
      double[] y =
          DoubleStream.of(x)
              .map(i -> Math.min(peak.getValue(), i * limits.copyBytesPerSecond()) / 1e9)
              .toArray();
      lines.bare("roof " + peak.getKey(), x, y);
      List<Point> own =
          points.stream()
              .filter(p -> p.identity().path("dtype").asText().equals(peak.getKey()))
              .toList();
      if (!own.isEmpty()) {
        lines.dots(
            "measured " + peak.getKey(),
            own.stream().mapToDouble(p -> p.flopsPerByte().orElseThrow()).toArray(),
            own.stream().mapToDouble(p -> p.flopsPerSecond().orElseThrow() / 1e9).toArray());
      }
    }
    return List.of(
        Figure.of("roofline", "Roofline of the limits measured in the same run", lines.png()));
  }

  private static double[] grid(double most) {
    return IntStream.range(0, GRID)
        .mapToDouble(i -> LEAST * Math.pow(most / LEAST, i / (GRID - 1.0)))
        .toArray();
  }
}
