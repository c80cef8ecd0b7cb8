package io.nightsweep.bench.figure;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Time over size: a chart for each facet, a line for each series. */
final class SizeCharts {
  private SizeCharts() {}

  /** Charts of the median times. */
  static List<Figure> latency(Measurements m) throws IOException {
    List<Figure> figures = new ArrayList<>();
    for (Map.Entry<String, SequencedMap<String, List<Point>>> facet : facets(m).entrySet()) {
      String title = "Median latency: " + facet.getKey() + left(facet.getValue(), LineChart.MOST);
      LineChart lines = lines(title, facet.getValue());
      facet.getValue().entrySet().stream()
          .limit(LineChart.MOST)
          .forEach(
              s -> lines.line(s.getKey(), x(s.getValue()), y(s.getValue(), Point::p50Seconds)));
      figures.add(Figure.of("latency-" + facet.getKey(), title, lines.png()));
    }
    return figures;
  }

  /** Medians, with thin lines for the smallest sample, p90 and p99. */
  static List<Figure> percentiles(Measurements m) throws IOException {
    List<Figure> figures = new ArrayList<>();
    for (Map.Entry<String, SequencedMap<String, List<Point>>> facet : facets(m).entrySet()) {
      int most = LineChart.MOST / 3;
      // A series has one colour and only its median in the legend; the thin lines share the colour.
      String title =
          "Medians; the thin lines are the smallest, p90 and p99: "
              + facet.getKey()
              + left(facet.getValue(), most);
      LineChart lines = lines(title, facet.getValue());
      facet.getValue().entrySet().stream()
          .limit(most)
          .forEach(
              s -> {
                List<Point> points = s.getValue();
                lines
                    .line(s.getKey() + " p50", x(points), y(points, Point::p50Seconds))
                    .beside(s.getKey() + " smallest", x(points), y(points, Point::minSeconds))
                    .beside(s.getKey() + " p90", x(points), y(points, Point::p90Seconds))
                    .beside(s.getKey() + " p99", x(points), y(points, Point::p99Seconds));
              });
      figures.add(Figure.of("percentiles-" + facet.getKey(), title, lines.png()));
    }
    return figures;
  }

  private static LineChart lines(String title, SequencedMap<String, List<Point>> series) {
    return new LineChart(
        title, series.firstEntry().getValue().getFirst().unit(), "µs, slowest rank");
  }

  /** Series with at least two sizes; a facet without any has no chart. */
  private static SequencedMap<String, SequencedMap<String, List<Point>>> facets(Measurements m) {
    SequencedMap<String, SequencedMap<String, List<Point>>> facets = new LinkedHashMap<>();
    Map<List<String>, List<Point>> series =
        m.points().stream()
            .filter(p -> p.size() > 0)
            .sorted(Comparator.comparing(Point::facet).thenComparing(Point::size))
            .collect(
                Collectors.groupingBy(
                    p -> List.of(p.facet(), p.series()), LinkedHashMap::new, Collectors.toList()));
    series.forEach(
        (key, points) -> {
          if (points.stream().mapToDouble(Point::size).distinct().count() > 1) {
            facets
                .computeIfAbsent(key.getFirst(), k -> new LinkedHashMap<>())
                .put(key.getLast(), points);
          }
        });
    return facets;
  }

  private static String left(SequencedMap<String, List<Point>> series, int most) {
    int left = series.size() - most;
    return left > 0 ? " (" + left + " more lines in the CSV)" : "";
  }

  private static double[] x(List<Point> points) {
    return points.stream().mapToDouble(Point::size).toArray();
  }

  private static double[] y(List<Point> points, ToDoubleFunction<Point> seconds) {
    return points.stream().mapToDouble(p -> 1e6 * seconds.applyAsDouble(p)).toArray();
  }
}
