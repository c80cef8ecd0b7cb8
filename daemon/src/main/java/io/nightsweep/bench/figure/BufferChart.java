package io.nightsweep.bench.figure;

import io.nightsweep.report.Canvas;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Bus bandwidth by kind of buffer, side by side for each size. */
final class BufferChart {
  private BufferChart() {}

  /** A facet with only one kind has nothing to compare and gets no chart. */
  static List<Figure> of(Measurements m) throws IOException {
    TreeMap<String, List<Point>> facets =
        m.points().stream()
            .filter(p -> p.busbwBytesPerSecond().isPresent() && p.identity().has("buffer"))
            .collect(Collectors.groupingBy(Point::facet, TreeMap::new, Collectors.toList()));
    List<Figure> figures = new ArrayList<>();
    for (Map.Entry<String, List<Point>> facet : facets.entrySet()) {
      TreeMap<String, List<Point>> kinds =
          facet.getValue().stream()
              .collect(
                  Collectors.groupingBy(
                      p -> p.identity().path("buffer").asText(),
                      TreeMap::new,
                      Collectors.toList()));
      if (kinds.size() > 1) {
        String title = "Bus bandwidth by the kind of buffer: " + facet.getKey();
        figures.add(Figure.of("buffers-" + facet.getKey(), title, chart(title, kinds)));
      }
    }
    return figures;
  }

  private static byte[] chart(String title, SortedMap<String, List<Point>> kinds)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(1000)
            .height(420)
            .title(Canvas.shown(title))
            .xAxisTitle("bytes")
            .yAxisTitle("GB/s at the median")
            .build();
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    TreeSet<Double> sizes = new TreeSet<>();
    kinds.values().forEach(points -> points.forEach(p -> sizes.add(p.size())));
    for (Map.Entry<String, List<Point>> kind : kinds.entrySet()) {
      Map<Double, Double> bySize =
          kind.getValue().stream()
              .collect(
                  Collectors.toMap(
                      Point::size, p -> p.busbwBytesPerSecond().orElseThrow() / 1e9, Math::max));
      chart.addSeries(
          Canvas.shown(kind.getKey()),
          sizes.stream().map(s -> String.valueOf(s.longValue())).toList(),
          sizes.stream().map(s -> bySize.getOrDefault(s, 0.0)).toList());
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
    return out.toByteArray();
  }
}
