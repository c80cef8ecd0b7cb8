package io.nightsweep.bench.figure;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

/** The bandwidth between any two ranks, one picture for each size; a darker field is faster. */
final class PairMatrix {
  private static final int CELL = 64;
  private static final int MARGIN = 48;

  private PairMatrix() {}

  static List<Figure> of(Measurements m) {
    return m.of("pair-matrix").stream()
        .filter(p -> p.facts().path("pairs").isArray())
        .map(
            p ->
                Figure.ofSvg(
                    "pairs-" + p.facet() + "-" + p.series() + "-" + (long) p.size(),
                    "GB/s in one direction between every two ranks, messages of "
                        + (long) p.size()
                        + " bytes",
                    svg(p)))
        .toList();
  }

  private static String svg(Point point) {
    int ranks = point.identity().path("ranks").asInt();
    double[][] cells = new double[ranks][ranks];
    for (JsonNode pair : point.facts().path("pairs")) {
      int from = pair.path("from").asInt();
      int to = pair.path("to").asInt();
      double gigabytes = pair.path("bytesPerSecond").asDouble() / 1e9;
      cells[from][to] = gigabytes;
      cells[to][from] = gigabytes;
    }
    double most = largest(point.facts().path("pairs"));
    int side = MARGIN + ranks * CELL;
    StringBuilder svg =
        new StringBuilder(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n"
                .formatted(side, side));
    for (int row = 0; row < ranks; row++) {
      text(svg, MARGIN / 2, middle(row), Integer.toString(row), "#222222");
      text(svg, middle(row), MARGIN / 2, Integer.toString(row), "#222222");
      for (int column = 0; column < ranks; column++) {
        double share = most > 0 ? cells[row][column] / most : 0;
        svg.append(
            "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n"
                .formatted(
                    MARGIN + column * CELL,
                    MARGIN + row * CELL,
                    CELL - 1,
                    CELL - 1,
                    row == column ? "#ffffff" : shade(share)));
        if (row != column) {
          text(
              svg,
              middle(column),
              middle(row),
              number(cells[row][column]),
              share > 0.55 ? "#ffffff" : "#222222");
        }
      }
    }
    return svg.append("</svg>\n").toString();
  }

  private static double largest(JsonNode pairs) {
    return StreamSupport.stream(pairs.spliterator(), false)
            .flatMapToDouble(p -> DoubleStream.of(p.path("bytesPerSecond").asDouble()))
            .max()
            .orElse(0)
        / 1e9;
  }

  private static int middle(int index) {
    return MARGIN + index * CELL + CELL / 2;
  }

  private static void text(StringBuilder svg, int x, int y, String text, String colour) {
    svg.append("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n".formatted(x, y + 5, colour, text));
  }

  /** A colour between nearly white and dark blue. */
  private static String shade(double share) {
    return "#%02x%02x%02x"
        .formatted(
            Math.round(240 - 206 * share),
            Math.round(246 - 162 * share),
            Math.round(252 - 97 * share));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
  }
}
