package io.nightsweep.bench.figure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.plan.Study;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each figure is drawn if it has points, and left out otherwise. */
class FiguresTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Study.Reference REFERENCE =
      new Study.Reference("costs", 3, "a paper", List.of(), List.of());

  @Test
  void aFigureHasAPictureOnlyWhereItHasPoints() throws Exception {
    List<Point> points =
        List.of(
            point("a", "heap", "{\"kernel\":\"allreduce\",\"buffer\":\"heap\"}", 8, 2e-6),
            point("a", "heap", "{\"kernel\":\"allreduce\",\"buffer\":\"heap\"}", 1024, 3e-6),
            point("a", "huge", "{\"kernel\":\"allreduce\",\"buffer\":\"huge\"}", 1024, 4e-6),
            point("b", "gemm", "{\"kernel\":\"gemm\",\"dtype\":\"f32\"}", 64, 1e-3));
    Measurements m = measurements(points, List.of());
    for (String name : List.of("latency", "percentiles", "buffers", "roofline")) {
      List<Figure> figures = StudyFigures.of(Set.of(name), m);
      // The facet with a single size has no line, and the one with a single buffer no comparison.
      assertThat(figures).as(name).hasSize(1);
      BufferedImage picture = picture(figures.getFirst());
      assertThat(picture.getWidth()).isEqualTo(1000);
      assertThat(colours(picture)).as(name).isGreaterThan(3);
      assertThat(figures.getFirst().path()).matches("figures/[A-Za-z0-9._-]+\\.png");
    }
    assertThat(StudyFigures.of(Set.of("topologies", "model"), m)).isEmpty();
    assertThatThrownBy(() -> StudyFigures.of(Set.of("pie"), m)).hasMessageContaining("pie");
  }

  /** A search of the picture's bytes would not find the secret. */
  @Test
  @Tag("guard")
  void aPictureOfASecretIsPixelForPixelOneOfAMask() throws Exception {
    List<ByteBuffer> masked = pictures("***");
    assertThat(masked).hasSize(5);
    assertThat(pictures("hf_canaryInAPicture0123456789")).isEqualTo(masked);
    assertThat(pictures("---")).as("all of them draw it").doesNotContainAnyElementsOf(masked);
  }

  private static List<ByteBuffer> pictures(String called) throws IOException {
    String facet = "of " + called;
    List<Point> points = new ArrayList<>();
    for (String buffer : List.of("heap", "huge " + called)) {
      String allreduce = "{\"kernel\":\"allreduce\",\"buffer\":\"" + buffer + "\"}";
      points.add(point(facet, buffer, allreduce, 8, 2e-6));
      points.add(point(facet, buffer, allreduce, 1024, 3e-6));
    }
    Point ring = point("c", called, "{\"kernel\":\"topology-allreduce\"}", 8, 50e-6);
    List<Figure> figures =
        new ArrayList<>(
            StudyFigures.of(
                Set.of("latency", "percentiles", "buffers", "model"),
                measurements(
                    points,
                    List.of(new Measurements.Modelled(ring, 45e-6, OptionalDouble.empty())))));
    JsonNode link = JSON.readTree("{\"root\":0,\"links\":[{\"from\":0,\"to\":1,\"bytes\":512}]}");
    JsonNode ranks =
        JSON.readTree("{\"kernel\":\"topology-allreduce\",\"ranks\":6,\"width\":2,\"height\":3}");
    figures.add(figure("topologies", called, ranks, link));
    return figures.stream()
        .sorted(Comparator.comparing(Figure::name))
        .map(Figure::content)
        .toList();
  }

  /** Lines that the legend does not name are explained above them. */
  @Test
  @Tag("people")
  void theThinLinesOfAChartAreNamed() throws Exception {
    List<Point> points =
        List.of(
            point("a", "heap", "{\"kernel\":\"allreduce\"}", 8, 2e-6),
            point("a", "heap", "{\"kernel\":\"allreduce\"}", 1024, 3e-6));
    assertThat(StudyFigures.of(Set.of("percentiles"), measurements(points, List.of())))
        .singleElement()
        .satisfies(
            f -> assertThat(f.title()).contains("the thin lines are the smallest, p90 and p99"));
  }

  @Test
  void anAxisIsBrokenWhereTheModelLiesFarBelowAllThatWasMeasured() throws Exception {
    Point small = point("a", "ring", "{\"kernel\":\"topology-allreduce\"}", 8, 50e-6);
    Point large = point("a", "ring", "{\"kernel\":\"topology-allreduce\"}", 1024, 90e-6);
    BufferedImage broken = model(small, 1e-6, large, 9e-6);
    BufferedImage whole = model(small, 45e-6, large, 80e-6);
    assertThat(broken.getHeight()).isGreaterThan(whole.getHeight() + 150);
  }

  @Test
  void aDiagramHasTheLinksThatTheRunCounted() throws Exception {
    JsonNode identity =
        JSON.readTree("{\"kernel\":\"topology-allreduce\",\"ranks\":6,\"width\":2,\"height\":3}");
    JsonNode facts =
        JSON.readTree(
            "{\"root\":0,\"links\":[{\"from\":0,\"to\":1,\"bytes\":512},{\"from\":1,\"to\":0,\"bytes\":512}]}");
    JsonNode none = JSON.readTree("{\"root\":0,\"links\":[]}");
    long drawn = ink(picture(diagram(identity, facts)));
    assertThat(drawn).isGreaterThan(ink(picture(diagram(identity, none))) + 200);
  }

  @Test
  void aMatrixOfPairsHasEveryPairTwiceAndTheFastestDarkest() throws Exception {
    JsonNode identity = JSON.readTree("{\"kernel\":\"pair-matrix\",\"ranks\":3}");
    JsonNode facts =
        JSON.readTree(
            "{\"pairs\":[{\"from\":0,\"to\":1,\"bytesPerSecond\":12.34e9},{\"from\":0,\"to\":2,\"bytesPerSecond\":1e9},"
                + "{\"from\":1,\"to\":2,\"bytesPerSecond\":2e9}]}");
    Figure figure = figure("pairs", "mesh", identity, facts);
    assertThat(figure.path()).matches("figures/pairs-[A-Za-z0-9._-]+\\.svg");
    String svg = StandardCharsets.UTF_8.decode(figure.content()).toString();
    assertThat(svg.split(">12.3<", -1)).hasSize(3);
    assertThat(svg.split("#22549b", -1)).hasSize(3);
    assertThat(svg).startsWith("<svg").endsWith("</svg>\n").doesNotContain("NaN");
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  /** Only the last point has a published time: a dot in a colour of its own. */
  @Test
  void aPublishedTimeStandsBesideTheMeasuredAndTheModelled() throws Exception {
    Point a = point("a", "ring", "{\"kernel\":\"topology-allreduce\"}", 8, 50e-6);
    Point b = point("a", "ring", "{\"kernel\":\"topology-allreduce\"}", 64, 90e-6);
    BufferedImage picture = model(a, 45e-6, b, 80e-6, OptionalDouble.of(60e-6));
    int dots = 0;
    for (int x = 0; x < picture.getWidth(); x++) {
      for (int y = 70; y < picture.getHeight(); y++) {
        dots += (picture.getRGB(x, y) & 0xffffff) == 0xd08c00 ? 1 : 0;
      }
    }
    assertThat(dots).isPositive();
  }

  private static Figure diagram(JsonNode identity, JsonNode facts) throws IOException {
    return figure("topologies", "mesh", identity, facts);
  }

  private static Figure figure(String name, String series, JsonNode identity, JsonNode facts)
      throws IOException {
    Point point =
        new Point(
            "a",
            series,
            identity,
            facts,
            64,
            "elements",
            1e-6,
            1e-6,
            1e-6,
            1e-6,
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty(),
            OptionalDouble.empty());
    return StudyFigures.of(Set.of(name), measurements(List.of(point), List.of())).getFirst();
  }

  private static BufferedImage model(Point a, double modelA, Point b, double modelB)
      throws IOException {
    return model(a, modelA, b, modelB, OptionalDouble.empty());
  }

  private static BufferedImage model(
      Point a, double modelA, Point b, double modelB, OptionalDouble published) throws IOException {
    Measurements m =
        measurements(
            List.of(a, b),
            List.of(
                new Measurements.Modelled(a, modelA, OptionalDouble.empty()),
                new Measurements.Modelled(b, modelB, published)));
    Figure figure = StudyFigures.of(Set.of("model"), m).getFirst();
    assertThat(figure.title()).contains("reference costs version 3");
    return picture(figure);
  }

  private static Measurements measurements(
      List<Point> points, List<Measurements.Modelled> modelled) {
    return new Measurements(
        points,
        Optional.of(new Measurements.Limits(1e10, new TreeMap<>(Map.of("f32", 1e11)))),
        Optional.of(REFERENCE),
        modelled);
  }

  private static Point point(
      String facet, String series, String identity, double size, double seconds)
      throws IOException {
    boolean gemm = identity.contains("gemm");
    return new Point(
        facet,
        series,
        JSON.readTree(identity),
        JSON.createObjectNode(),
        size,
        "bytes",
        seconds,
        1.2 * seconds,
        2 * seconds,
        0.9 * seconds,
        OptionalDouble.of(size),
        gemm ? OptionalDouble.empty() : OptionalDouble.of(size / seconds),
        gemm ? OptionalDouble.of(5e10) : OptionalDouble.empty(),
        gemm ? OptionalDouble.of(20) : OptionalDouble.empty());
  }

  private static BufferedImage picture(Figure figure) throws IOException {
    return ImageIO.read(new ByteArrayInputStream(figure.content().array()));
  }

  private static long colours(BufferedImage picture) {
    return Arrays.stream(pixels(picture)).distinct().count();
  }

  private static long ink(BufferedImage picture) {
    return Arrays.stream(pixels(picture)).filter(p -> (p & 0xffffff) != 0xffffff).count();
  }

  private static int[] pixels(BufferedImage p) {
    return p.getRGB(0, 0, p.getWidth(), p.getHeight(), null, 0, p.getWidth());
  }
}
