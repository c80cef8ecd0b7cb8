package io.nightsweep.bench.figure;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.report.Canvas;
import java.awt.Color;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The links that an allreduce used and the bytes on each, as counted by the run itself. */
final class TopologyDiagram {
  private static final Color INK = new Color(0x222222);
  private static final Color ROOT = new Color(0xb2182b);
  private static final Color LINK = new Color(0x4d6a8a);
  private static final int STEP = 190;

  private TopologyDiagram() {}

  private record Spot(double x, double y) {
    Spot plus(double dx, double dy) {
      return new Spot(x + dx, y + dy);
    }
  }

  /** The largest case of each series, in which the bytes are easiest to read. */
  static List<Figure> of(Measurements m) throws IOException {
    Map<String, Point> largest = new LinkedHashMap<>();
    m.of("topology-allreduce").stream()
        .filter(p -> p.facts().path("links").isArray())
        .sorted(Comparator.comparingDouble(Point::size))
        .forEach(p -> largest.put(p.series(), p));
    List<Figure> figures = new ArrayList<>();
    for (Map.Entry<String, Point> one : largest.entrySet()) {
      figures.add(
          Figure.of(
              "topology-" + one.getKey(),
              "Links of " + one.getKey() + ", and bytes on each",
              diagram(one.getKey(), one.getValue())));
    }
    return figures;
  }

  private static byte[] diagram(String series, Point point) throws IOException {
    int ranks = point.identity().path("ranks").asInt();
    int width = point.identity().path("width").asInt();
    int height = point.identity().path("height").asInt();
    boolean ring = width * height != ranks;
    int columns = ring ? Math.max(2, (ranks + 1) / 2) : width;
    int rows = ring ? 2 : height;
    Canvas canvas =
        new Canvas(
            Math.max(1000, columns * STEP + 140),
            rows * STEP + 60,
            series + ": bytes sent on each link at " + (long) point.size() + " elements");
    for (JsonNode link : point.facts().path("links")) {
      arrow(
          canvas,
          place(link.path("from").asInt(), ranks, ring, columns),
          place(link.path("to").asInt(), ranks, ring, columns),
          link.path("bytes").asLong());
    }
    for (int rank = 0; rank < ranks; rank++) {
      Spot at = place(rank, ranks, ring, columns);
      boolean root = point.facts().path("root").asInt(-1) == rank;
      canvas.dot(at.x(), at.y(), root ? ROOT : INK);
      canvas.text((root ? "root " : "") + rank, at.x() - 24, at.y() - 12, root ? ROOT : INK);
    }
    return canvas.png();
  }

  /** Places a rank; a ring runs along the upper row and back along the lower one. */
  private static Spot place(int rank, int ranks, boolean ring, int columns) {
    int row = rank / columns;
    int column = ring && row == 1 ? ranks - 1 - rank : rank % columns;
    return new Spot(100 + column * (double) STEP, 100 + row * (double) STEP);
  }

  /**
   * Draws an arrow beside the straight line, so that the two directions are visible; long arrows
   * bend around other ranks.
   */
  private static void arrow(Canvas canvas, Spot from, Spot to, long bytes) {
    double length = Math.hypot(to.x() - from.x(), to.y() - from.y());
    double ux = (to.x() - from.x()) / length;
    double uy = (to.y() - from.y()) / length;
    double aside = length > 1.5 * STEP ? 40 : 8;
    Spot start = from.plus(10 * ux - aside * uy, 10 * uy + aside * ux);
    Spot end = to.plus(-10 * ux - aside * uy, -10 * uy + aside * ux);
    canvas.line(start.x(), start.y(), end.x(), end.y(), LINK, 2);
    for (int side : new int[] {-5, 5}) {
      Spot wing = end.plus(-9 * ux - side * uy, -9 * uy + side * ux);
      canvas.line(end.x(), end.y(), wing.x(), wing.y(), LINK, 2);
    }
    Spot label = start.plus((end.x() - start.x()) / 2 - 16 * uy, (end.y() - start.y()) / 2);
    canvas.text(Long.toString(bytes), label.x() - 16, label.y() + 14 * ux + 4, LINK);
  }
}
