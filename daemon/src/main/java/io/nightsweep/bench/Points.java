package io.nightsweep.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.bench.figure.Measurements;
import io.nightsweep.bench.figure.Point;
import io.nightsweep.plan.Study;
import io.nightsweep.workload.kernels.Dtypes;
import io.nightsweep.workload.kernels.KernelResult;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Turns rows into points for figures. */
final class Points {
  /** Parameters that can be the size axis, in order of preference. */
  private static final List<String> SIZES = List.of("bytes", "elements", "tokens", "m");

  /** The component of an allreduce that the cost model describes. */
  private static final String ALLREDUCE = "operation";

  private Points() {}

  static Measurements of(List<CaseRow> rows, Manifest manifest) {
    List<CaseRow> measured =
        rows.stream().filter(CaseRow::isMeasured).filter(r -> r.round() == 1).toList();
    Map<String, Set<String>> varying = varying(measured);
    List<Point> points = measured.stream().map(row -> point(row, varying)).toList();
    return new Measurements(
        points, limits(manifest), manifest.reference(), modelled(points, manifest));
  }

  private static Point point(CaseRow row, Map<String, Set<String>> varying) {
    KernelResult.Case record = row.record().orElseThrow();
    KernelResult.Component c = record.components().getFirst();
    ObjectNode id = row.identity();
    Optional<String> size = size(id);
    String facet = facet(row);
    String series =
        varying.getOrDefault(facet, Set.of()).stream()
            .filter(key -> !size.equals(Optional.of(key)))
            .filter(id::has)
            .map(key -> word(key, id.path(key)))
            .filter(word -> !word.isEmpty())
            .collect(Collectors.joining(" "));
    String side = row.side().equals(CaseRow.ONE_SIDE) ? "" : " " + row.side();
    return new Point(
        facet,
        (series.isEmpty() ? id.path("kernel").asText() : series) + side,
        id,
        record.facts(),
        size.map(key -> id.path(key).asDouble()).orElse(Double.NaN),
        size.map(Points::unit).orElse(""),
        c.p50Seconds(),
        c.p90Seconds(),
        c.p99Seconds(),
        c.minSeconds(),
        optional(c.stateBytes()),
        optional(c.busbwBytesPerSecond()),
        optional(c.flopsPerSecond()),
        intensity(id));
  }

  private static String word(String key, JsonNode value) {
    return value.isBoolean()
        ? value.asBoolean() ? key : ""
        : value.isTextual()
            ? value.asText()
            : value.asLong() == 0 ? "" : key + "=" + value.asText();
  }

  private static String facet(CaseRow row) {
    return row.groups().getFirst() + " " + row.shard().id();
  }

  private static Optional<String> size(ObjectNode id) {
    return SIZES.stream().filter(id::has).findFirst();
  }

  private static String unit(String key) {
    return switch (key) {
      case "bytes" -> "bytes";
      case "elements" -> "elements of a rank";
      case "tokens" -> "tokens of a rank";
      default -> "rows (" + key + ")";
    };
  }

  /** Parameters that have more than one value in a facet. */
  private static Map<String, Set<String>> varying(List<CaseRow> rows) {
    Map<String, Map<String, Set<String>>> values = new HashMap<>();
    for (CaseRow row : rows) {
      Map<String, Set<String>> facet = values.computeIfAbsent(facet(row), k -> new TreeMap<>());
      row.identity()
          .properties()
          .forEach(
              p ->
                  facet
                      .computeIfAbsent(p.getKey(), k -> new TreeSet<>())
                      .add(p.getValue().asText()));
    }
    Map<String, Set<String>> varying = new HashMap<>();
    values.forEach(
        (facet, keys) ->
            varying.put(
                facet,
                keys.entrySet().stream()
                    .filter(e -> e.getValue().size() > 1)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toCollection(TreeSet::new))));
    return varying;
  }

  /**
   * Operations for each byte of a matrix product that touches each element of its three matrices
   * once.
   */
  private static OptionalDouble intensity(ObjectNode id) {
    if (!id.path("kernel").asText().equals("gemm")) {
      return OptionalDouble.empty();
    }
    double m = id.path("m").asDouble();
    double n = id.path("n").asDouble();
    double k = id.path("k").asDouble();
    String dtype = id.path("dtype").asText();
    return OptionalDouble.of(
        2
            * m
            * n
            * k
            / (Dtypes.width(dtype) * (m * k + k * n)
                + Dtypes.width(Dtypes.ofProduct(dtype)) * m * n));
  }

  /** The best values of all jobs, since disturbances can only lower them. */
  private static Optional<Measurements.Limits> limits(Manifest manifest) {
    List<JsonNode> all =
        manifest.sources().stream()
            .map(Manifest.JobSource::limits)
            .filter(JsonNode::isObject)
            .toList();
    if (all.isEmpty()) {
      return Optional.empty();
    }
    // Smaller copies stay in caches; only the largest one measures memory.
    double copy =
        all.stream()
            .flatMap(
                l ->
                    StreamSupport.stream(l.path("copies").spliterator(), false)
                        .max(Comparator.comparingLong(c -> c.path("bytes").asLong()))
                        .stream())
            .mapToDouble(c -> c.path("bytesPerSecond").asDouble())
            .max()
            .orElse(0);
    SortedMap<String, Double> flops = new TreeMap<>();
    for (JsonNode one : all) {
      // The program has already summed them over the BLAS's threads.
      one.path("fmaFlopsPerSecond")
          .properties()
          .forEach(p -> flops.merge(p.getKey(), p.getValue().asDouble(), Math::max));
    }
    return Optional.of(new Measurements.Limits(copy, flops));
  }

  private static List<Measurements.Modelled> modelled(List<Point> points, Manifest manifest) {
    OptionalDouble latency =
        manifest.sources().stream()
            .mapToDouble(s -> s.limits().path("latencySeconds").asDouble())
            .filter(s -> s > 0)
            .min();
    OptionalDouble bandwidth =
        manifest.sources().stream()
            .mapToDouble(s -> s.limits().path("messageBytesPerSecond").asDouble())
            .filter(b -> b > 0)
            .max();
    if (manifest.reference().isEmpty() || latency.isEmpty() || bandwidth.isEmpty()) {
      return List.of();
    }
    return points.stream()
        .filter(p -> p.stateBytes().isPresent())
        .sorted(Comparator.comparingDouble(Point::size))
        .flatMap(
            p ->
                cost(manifest.reference().get(), p.identity()).stream()
                    .map(
                        cost ->
                            new Measurements.Modelled(
                                p,
                                EstimatedTime.of(
                                        cost,
                                        p.stateBytes().orElseThrow(),
                                        latency.getAsDouble(),
                                        bandwidth.getAsDouble())
                                    .seconds(),
                                published(manifest.reference().get(), p))))
        .toList();
  }

  private static OptionalDouble published(Study.Reference reference, Point point) {
    return reference.times().stream()
        .filter(t -> t.component().equals(ALLREDUCE) && t.isOf(point.identity()))
        .mapToDouble(Study.PublishedTime::seconds)
        .findFirst();
  }

  private static Optional<Study.Cost> cost(Study.Reference reference, JsonNode id) {
    return reference.costs().stream()
        .filter(c -> c.topology().equals(id.path("topology").asText()))
        .filter(c -> c.ranks() == id.path("ranks").asInt())
        .filter(c -> c.width() == id.path("width").asInt())
        .filter(c -> c.height() == id.path("height").asInt())
        .filter(c -> c.rootCentre() == id.path("rootCentre").asBoolean())
        .findFirst();
  }

  private static OptionalDouble optional(@Nullable Double value) {
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }
}
