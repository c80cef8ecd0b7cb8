package io.nightsweep.bench.figure;

import io.nightsweep.report.Canvas;
import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Measured times over size, beside a published cost model's times and published times. If measured
 * and modelled times lie far apart, the chart has two panels, so that both curves keep their shape.
 */
final class ModelChart {
  private static final Color INK = new Color(0x222222);
  private static final Color GRID = new Color(0xdddddd);
  private static final Color MEASURED = new Color(0x1b7837);
  private static final Color MODEL = new Color(0x8c6bb1);
  private static final Color PUBLISHED = new Color(0xd08c00);
  private static final int WIDTH = 1000;
  private static final int PANEL = 190;
  private static final int LEFT = 110;
  private static final int TOP = 60;

  /** Pixels between the panels. */
  private static final int GAP = 26;

  private ModelChart() {}

  /** A panel's range, in µs, and its lower edge. */
  private record Panel(double low, double high, int bottom) {
    double y(double micros) {
      return bottom - (micros - low) / (high - low) * PANEL;
    }

    boolean holds(double micros) {
      return micros >= low && micros <= high;
    }
  }

  private record Dot(double x, double micros) {}

  static List<Figure> of(Measurements m) throws IOException {
    Map<String, List<Measurements.Modelled>> series =
        m.modelled().stream()
            .collect(
                Collectors.groupingBy(
                    x -> x.point().series(), LinkedHashMap::new, Collectors.toList()));
    String version =
        m.reference().map(r -> ", reference " + r.name() + " version " + r.version()).orElse("");
    List<Figure> figures = new ArrayList<>();
    for (Map.Entry<String, List<Measurements.Modelled>> one : series.entrySet()) {
      figures.add(
          Figure.of(
              "model-" + one.getKey(),
              "Measured beside modelled: " + one.getKey() + version,
              chart(one.getKey() + version, one.getValue())));
    }
    return figures;
  }

  private static byte[] chart(String title, List<Measurements.Modelled> points) throws IOException {
    List<Panel> panels = panels(points);
    int bottom = panels.getLast().bottom();
    Canvas canvas = new Canvas(WIDTH, bottom + 60, "Measured and modelled, µs: " + title);
    canvas.text("measured (median)", WIDTH - 300, 50, MEASURED);
    canvas.text("model", WIDTH - 150, 50, MODEL);
    if (points.stream().anyMatch(p -> p.publishedSeconds().isPresent())) {
      canvas.text("published", WIDTH - 90, 50, PUBLISHED);
    }
    panels.forEach(panel -> axis(canvas, panel));
    if (panels.size() > 1) {
      breakMarks(canvas, panels.getFirst().bottom());
    }
    List<Dot> measured = new ArrayList<>();
    List<Dot> model = new ArrayList<>();
    List<Dot> published = new ArrayList<>();
    for (int i = 0; i < points.size(); i++) {
      double x = LEFT + 30 + i * (double) (WIDTH - LEFT - 100) / Math.max(1, points.size() - 1);
      measured.add(new Dot(x, points.get(i).point().micros()));
      model.add(new Dot(x, points.get(i).seconds() * 1e6));
      points.get(i).publishedSeconds().ifPresent(s -> published.add(new Dot(x, s * 1e6)));
      canvas.text(String.valueOf((long) points.get(i).point().size()), x - 12, bottom + 20, INK);
    }
    draw(canvas, panels, measured, MEASURED);
    draw(canvas, panels, model, MODEL);
    draw(canvas, panels, published, PUBLISHED);
    canvas.text(points.getFirst().point().unit(), WIDTH / 2.0, bottom + 46, INK);
    return canvas.png();
  }

  private static void draw(Canvas canvas, List<Panel> panels, List<Dot> dots, Color colour) {
    for (Panel panel : panels) {
      for (int i = 0; i < dots.size(); i++) {
        Dot now = dots.get(i);
        if (panel.holds(now.micros())) {
          canvas.dot(now.x(), panel.y(now.micros()), colour);
          if (i > 0 && panel.holds(dots.get(i - 1).micros())) {
            Dot last = dots.get(i - 1);
            canvas.line(
                last.x(), panel.y(last.micros()), now.x(), panel.y(now.micros()), colour, 2);
          }
        }
      }
    }
  }

  /**
   * One panel, or two (the upper one first) where the smallest measured time is far above the
   * model.
   */
  private static List<Panel> panels(List<Measurements.Modelled> points) {
    double modelHigh =
        points.stream()
            .mapToDouble(p -> Math.max(p.seconds(), p.publishedSeconds().orElse(0)) * 1e6)
            .max()
            .orElse(1);
    double low = points.stream().mapToDouble(p -> p.point().micros()).min().orElse(1);
    double high = points.stream().mapToDouble(p -> p.point().micros()).max().orElse(1);
    return low > 1.5 * modelHigh
        ? List.of(
            new Panel(0.95 * low, 1.05 * high, TOP + PANEL),
            new Panel(0, 1.1 * modelHigh, TOP + 2 * PANEL + GAP))
        : List.of(new Panel(0, 1.05 * Math.max(high, modelHigh), TOP + PANEL));
  }

  private static void axis(Canvas canvas, Panel panel) {
    for (int i = 0; i <= 4; i++) {
      double value = panel.low() + i * (panel.high() - panel.low()) / 4;
      canvas.line(LEFT, panel.y(value), WIDTH - 40, panel.y(value), GRID, 1);
      canvas.text(String.format(Locale.ROOT, "%.4g", value), 30, panel.y(value) + 4, INK);
    }
    canvas.line(LEFT, panel.bottom(), LEFT, panel.bottom() - PANEL, INK, 1);
  }

  private static void breakMarks(Canvas canvas, int edge) {
    for (int y : List.of(edge + 4, edge + GAP - 4)) {
      canvas.line(LEFT - 8, y + 4, LEFT + 8, y - 4, INK, 2);
    }
    canvas.text("axis broken", LEFT + 14, edge + GAP / 2.0 + 4, INK);
  }
}
