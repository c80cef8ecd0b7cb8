package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a measured case's record against itself: recomputes every figure from the samples, and
 * compares the resources of the run with the requested ones. {@code native/README.md} defines the
 * statistics.
 */
public final class RecordAudit {
  /** Doubles travel as decimal text, and sums are added in another order here. */
  private static final double TOLERANCE = 1e-9;

  private RecordAudit() {}

  /** A contradiction within a record; empty if there is none. */
  public static Optional<String> contradiction(Case one) {
    if (!one.disposition().equals("measured")) {
      return unexplained(one);
    }
    return Stream.<Function<Case, Optional<String>>>of(
            RecordAudit::elements,
            RecordAudit::resources,
            RecordAudit::components,
            IdentityAudit::contradiction,
            FactsAudit::contradiction,
            ExpertsAudit::contradiction)
        .flatMap(check -> check.apply(one).stream())
        .findFirst();
  }

  /** A case that was left out must not have begun, and one without figures must say why. */
  private static Optional<String> unexplained(Case one) {
    String reason = one.reason();
    Long wrong = one.wrong();
    if (reason == null || reason.isBlank()) {
      return Optional.of("it says " + one.disposition() + " and not why");
    }
    boolean isBegun = !one.components().isEmpty() || (wrong != null && wrong != 0);
    return isBegun && !one.disposition().equals("failed")
        ? Optional.of("it says " + one.disposition() + " with what only a case that ran can have")
        : Optional.empty();
  }

  private static Optional<String> elements(Case one) {
    Long wrong = one.wrong();
    if (wrong == null || wrong != 0) {
      return Optional.of(
          "it says measured with "
              + (wrong == null ? "elements that nobody checked" : wrong + " wrong elements"));
    }
    return one.components().isEmpty()
        ? Optional.of("it says measured without a figure")
        : Optional.empty();
  }

  private static Optional<String> resources(Case one) {
    for (Map.Entry<String, JsonNode> asked : one.requested().properties()) {
      if (!one.realised().has(asked.getKey())) {
        return Optional.of("nothing says what was received of '" + asked.getKey() + "'");
      }
    }
    for (String told : alwaysTold(one.identity())) {
      if (!one.realised().has(told)) {
        return Optional.of("nothing says what was received of '" + told + "'");
      }
    }
    for (Map.Entry<String, JsonNode> got : one.realised().properties()) {
      JsonNode asked = one.identity().path(got.getKey());
      if (!got.getValue().equals(asked)
          || !one.requested().path(got.getKey()).equals(got.getValue())) {
        return Optional.of(
            "'" + got.getKey() + "' is " + got.getValue() + " where " + asked + " was asked for");
      }
    }
    return Optional.empty();
  }

  /** Resources that the program always probes, if the case has them. */
  private static List<String> alwaysTold(JsonNode identity) {
    return identity.has("buffer")
        ? List.of("buffer")
        : identity.path("resource").asText().equals("fixed") ? List.of("budget") : List.of();
  }

  private static Optional<String> components(Case one) {
    for (Component component : one.components()) {
      Optional<String> wrong =
          samples(one, component)
              .or(() -> statistics(component))
              .or(() -> rates(one.identity(), component))
              .map(why -> component.name() + ": " + why);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return anomaly(one);
  }

  private static Optional<String> samples(Case one, Component c) {
    List<Double> slowest = c.samplesSeconds();
    List<Double> fastest = c.minOverRanksSeconds();
    int ordered = one.trials() * one.iterations();
    if (slowest.size() != ordered || fastest.size() != ordered) {
      return Optional.of(
          slowest.size() + " samples where " + ordered + " belong to its trials and iterations");
    }
    for (int i = 0; i < ordered; i++) {
      double most = slowest.get(i);
      double least = fastest.get(i);
      if (!(least > 0 && least <= most && Double.isFinite(most))) {
        return Optional.of(
            "sample " + i + " is " + least + " to " + most + " seconds over the ranks");
      }
    }
    return Optional.empty();
  }

  private static Optional<String> statistics(Component c) {
    List<Double> sorted = c.samplesSeconds().stream().sorted().toList();
    List<Double> fastest = c.minOverRanksSeconds().stream().sorted().toList();
    double mean = sorted.stream().mapToDouble(s -> s).average().orElseThrow();
    double squares = sorted.stream().mapToDouble(s -> (s - mean) * (s - mean)).sum();
    double stdev = sorted.size() > 1 ? Math.sqrt(squares / (sorted.size() - 1)) : 0;
    double p50 = percentile(sorted, 0.50);
    double fastestP50 = percentile(fastest, 0.50);
    return differs("p50Seconds", c.p50Seconds(), p50, p50)
        .or(() -> differs("p90Seconds", c.p90Seconds(), percentile(sorted, 0.90), p50))
        .or(() -> differs("p95Seconds", c.p95Seconds(), percentile(sorted, 0.95), p50))
        .or(() -> differs("p99Seconds", c.p99Seconds(), percentile(sorted, 0.99), p50))
        .or(() -> differs("minSeconds", c.minSeconds(), sorted.getFirst(), p50))
        .or(() -> differs("maxSeconds", c.maxSeconds(), sorted.getLast(), p50))
        .or(() -> differs("meanSeconds", c.meanSeconds(), mean, mean))
        .or(() -> differs("stdevSeconds", c.stdevSeconds(), stdev, Math.max(mean, stdev)))
        .or(() -> differs("cv", c.cv(), stdev / mean, Math.max(1, stdev / mean)))
        .or(
            () ->
                differs(
                    "minOverRanksP50Seconds", c.minOverRanksP50Seconds(), fastestP50, fastestP50))
        .or(() -> differs("spreadP50Seconds", c.spreadP50Seconds(), p50 - fastestP50, p50));
  }

  private static Optional<String> rates(JsonNode identity, Component c) {
    double p50 = c.p50Seconds();
    @Nullable Double algorithm = c.stateBytes() == null ? null : c.stateBytes() / p50;
    return differs("algbwBytesPerSecond", c.algbwBytesPerSecond(), algorithm)
        .or(
            () ->
                differs(
                    "busbwBytesPerSecond",
                    c.busbwBytesPerSecond(),
                    algorithm != null && busFactor(identity) > 0
                        ? Double.valueOf(busFactor(identity) * algorithm)
                        : null))
        .or(() -> products(identity, c));
  }

  /**
   * busbw / algbw, by the formulae of NCCL's own tests. 0 where there is no figure: one rank alone
   * uses no bus, routing determines copies of tokens, and products move nothing.
   */
  private static double busFactor(JsonNode identity) {
    double n = identity.path("ranks").asDouble();
    return switch (identity.path("kernel").asText()) {
      case "allreduce", "topology-allreduce", "tp-layer" -> 2 * (n - 1) / n;
      case "allgather", "reduce-scatter", "all-to-all", "all-to-allv", "gather", "scatter" ->
          (n - 1) / n;
      case "broadcast",
          "reduce",
          "send-receive",
          "ping-pong",
          "message-rate",
          "pair-matrix",
          "copy" ->
          1;
      default -> 0;
    };
  }

  /** Operations of one rank; those of a pipeline follow from its routing alone. */
  private static Optional<String> products(JsonNode identity, Component c) {
    boolean moves = c.name().equals("communication");
    double operations =
        switch (identity.path("kernel").asText()) {
          case "gemm" ->
              2
                  * identity.path("m").asDouble()
                  * identity.path("n").asDouble()
                  * identity.path("k").asDouble();
          case "tp-layer" -> moves ? 0 : IdentityAudit.operationsOfLayer(identity);
          case "ep-pipeline" -> moves ? 0 : Double.NaN;
          default -> 0;
        };
    return Double.isNaN(operations)
        ? Optional.empty()
        : differs(
            "flopsPerSecond",
            c.flopsPerSecond(),
            operations > 0 ? Double.valueOf(operations / c.p50Seconds()) : null);
  }

  /**
   * If a round trip's p99 is above three times the sum of its parts', the record must report an
   * anomaly.
   */
  private static Optional<String> anomaly(Case one) {
    OptionalDouble whole =
        one.components().stream()
            .filter(c -> c.name().equals("roundTrip"))
            .mapToDouble(Component::p99Seconds)
            .findFirst();
    double parts =
        one.components().stream()
            .filter(c -> !c.name().equals("roundTrip"))
            .mapToDouble(Component::p99Seconds)
            .sum();
    @Nullable Boolean is =
        (whole.isPresent() && parts > 0) ? Boolean.valueOf(whole.getAsDouble() > 3 * parts) : null;
    return Objects.equals(is, one.anomaly())
        ? Optional.empty()
        : Optional.of("its anomaly is given as " + one.anomaly() + " where it is " + is);
  }

  /**
   * Nearest rank: the smallest sample such that at least a share q of the samples does not exceed
   * it.
   */
  static double percentile(List<Double> sorted, double q) {
    int rank = (int) Math.max(1, Math.ceil(q * sorted.size()));
    return sorted.get(Math.min(rank, sorted.size()) - 1);
  }

  static Optional<String> differs(String name, @Nullable Double told, @Nullable Double is) {
    if (told == null || is == null) {
      return Objects.equals(told, is)
          ? Optional.empty()
          : Optional.of(name + " is " + told + " where " + is + " follows from the samples");
    }
    return differs(name, told, is, is);
  }

  private static Optional<String> differs(String name, double told, double is, double size) {
    return Math.abs(told - is) <= TOLERANCE * Math.abs(size)
        ? Optional.empty()
        : Optional.of(name + " is " + told + " where " + is + " follows from the samples");
  }
}
