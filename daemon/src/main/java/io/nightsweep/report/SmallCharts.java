package io.nightsweep.report;

import io.nightsweep.conductor.LastFindings;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepState;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;

/** Bar charts of figures that only some workloads report. */
final class SmallCharts {
  private static final List<String> PARTS =
      List.of("compute", "hidden communication", "exposed communication", "copies", "idle");

  private SmallCharts() {}

  /**
   * Seconds of the profiled window by part; communication hidden behind compute is also included in
   * compute.
   */
  static Optional<byte[]> breakdown(SweepState s, Phrases t) throws IOException {
    Optional<Finding> finding = LastFindings.last(s, Finding.BREAKDOWN);
    if (finding.isEmpty()) {
      return Optional.empty();
    }
    Map<String, List<Double>> windows = new LinkedHashMap<>();
    windows.put(t.text("chart.as-deployed"), parts(finding.get()));
    LastFindings.ofWinner(s, Finding.BREAKDOWN)
        .ifPresent(f -> windows.put(t.text("beside.winner"), parts(f)));
    return Optional.of(
        bars(
            t.text("chart.breakdown"),
            t.text("chart.unit.seconds"),
            PARTS.stream().map(part -> t.text("part." + part.replace(' ', '-'))).toList(),
            windows));
  }

  private static List<Double> parts(Finding breakdown) {
    return PARTS.stream().map(p -> breakdown.figures().getOrDefault(p, 0.0)).toList();
  }

  /** Memory in the last run of each profile; a missing size is drawn as 0. */
  static Optional<byte[]> memory(SweepState s, Phrases t) throws IOException {
    Map<String, SortedMap<String, Double>> byProfile = MemorySizes.gibibytes(s);
    TreeMap<String, List<Double>> sizes = new TreeMap<>();
    byProfile.values().forEach(own -> own.keySet().forEach(kind -> sizes.put(kind, List.of())));
    sizes.replaceAll(
        (kind, none) ->
            byProfile.values().stream().map(own -> own.getOrDefault(kind, 0.0)).toList());
    return byProfile.isEmpty()
        ? Optional.empty()
        : Optional.of(bars(t.text("chart.memory"), "GiB", List.copyOf(byProfile.keySet()), sizes));
  }

  private static byte[] bars(
      String title, String unit, List<String> names, Map<String, List<Double>> series)
      throws IOException {
    CategoryChart chart =
        new CategoryChartBuilder().width(1000).height(420).title(title).yAxisTitle(unit).build();
    chart.getStyler().setXAxisLabelRotation(names.size() > 5 ? 60 : 0);
    chart.getStyler().setLegendVisible(series.size() > 1);
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    List<String> shown = names.stream().map(Canvas::shown).toList();
    series.forEach((name, values) -> chart.addSeries(Canvas.shown(name), shown, values));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ImageIO.write(BitmapEncoder.getBufferedImage(chart), "png", out);
    return out.toByteArray();
  }
}
