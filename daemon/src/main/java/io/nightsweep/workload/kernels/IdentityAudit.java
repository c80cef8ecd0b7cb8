package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Holds the record of a measured case against its identity: which parts a kernel times, and how
 * many bytes it works on; and against the time that the case took. {@code native/README.md} tells
 * the rules.
 */
final class IdentityAudit {
  /** A size is clamped to a whole number of elements, for every rank where ranks have blocks. */
  private static final double LARGEST_ELEMENT = 8;

  /** Clocks of ranks, and of devices, run apart by so much. */
  static final double CLOCKS = 1.01;

  private IdentityAudit() {}

  static Optional<String> contradiction(Case one) {
    return Stream.of(parts(one), state(one), time(one), wrongBy(one))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The headline is first, and no part is left out or told twice. */
  private static Optional<String> parts(Case one) {
    List<String> expected = parts(one.identity());
    List<String> told = one.components().stream().map(Component::name).toList();
    List<String> fromGraph = Stream.concat(expected.stream(), Stream.of("graph")).toList();
    boolean isRight = told.equals(expected) || (expected.size() == 1 && told.equals(fromGraph));
    return expected.isEmpty() || isRight
        ? Optional.empty()
        : Optional.of("its parts are " + told + " where " + expected + " are timed");
  }

  private static List<String> parts(JsonNode identity) {
    return switch (identity.path("kernel").asText()) {
      case "allreduce",
          "topology-allreduce",
          "allgather",
          "reduce-scatter",
          "all-to-all",
          "all-to-allv",
          "broadcast",
          "send-receive",
          "reduce",
          "gather",
          "scatter" ->
          List.of("operation");
      case "ping-pong" -> List.of("message");
      case "message-rate" -> List.of("window");
      case "copy" -> List.of("copy");
      case "gemm" -> List.of("gemm");
      case "pair-matrix" -> pairs(identity.path("ranks").asInt());
      case "ep" -> List.of("roundTrip", "dispatch", "experts", "combine");
      case "ep-pipeline" ->
          judgedFirst(
              identity, List.of("overlapped", "blocking"), List.of("compute", "communication"));
      case "tp-layer" ->
          judgedFirst(identity, List.of("split", "per-op", "compute", "communication"), List.of());
      default -> List.of();
    };
  }

  private static List<String> pairs(int ranks) {
    List<String> pairs = new ArrayList<>();
    for (int a = 0; a < ranks; a++) {
      for (int b = a + 1; b < ranks; b++) {
        pairs.add(a + "-" + b);
      }
    }
    return pairs;
  }

  private static List<String> judgedFirst(
      JsonNode identity, List<String> variants, List<String> others) {
    String judged = identity.path("variant").asText();
    return Stream.of(
            Stream.of(judged), variants.stream().filter(v -> !v.equals(judged)), others.stream())
        .flatMap(s -> s)
        .toList();
  }

  /** Bandwidths are computed for the size that was asked for, rounded down to whole elements. */
  private static Optional<String> state(Case one) {
    if (one.identity().path("kernel").asText().equals("tp-layer")) {
      return stateOfLayer(one);
    }
    OptionalDouble asked = bytes(one.identity());
    if (asked.isEmpty()) {
      return stateless(one);
    }
    double most = asked.getAsDouble();
    double clamped = LARGEST_ELEMENT * (one.identity().path("ranks").asDouble() + 1);
    for (Component component : one.components()) {
      Double told = component.stateBytes();
      if (told == null || told > most || told <= most - clamped) {
        return Optional.of(
            component.name() + " works on " + told + " bytes where " + most + " were asked for");
      }
    }
    return Optional.empty();
  }

  /**
   * Matrix products tell only operations a second; the bytes that experts move follow from their
   * routing.
   */
  private static Optional<String> stateless(Case one) {
    return one.identity().path("kernel").asText().equals("ep")
        ? Optional.empty()
        : one.components().stream()
            .flatMap(
                c ->
                    RecordAudit.differs(c.name() + ": stateBytes", c.stateBytes(), (Double) null)
                        .stream())
            .findFirst();
  }

  /** Two sums of every token's activations; computation moves nothing. */
  private static Optional<String> stateOfLayer(Case one) {
    JsonNode identity = one.identity();
    double sums =
        2
            * identity.path("tokens").asDouble()
            * identity.path("hidden").asDouble()
            * Dtypes.width(identity.path("dtype").asText());
    return one.components().stream()
        .flatMap(
            c ->
                RecordAudit.differs(
                    c.name() + ": stateBytes",
                    c.stateBytes(),
                    c.name().equals("communication") ? Double.valueOf(sums) : null)
                    .stream())
        .findFirst();
  }

  /** Of one rank: projections, scores of what each token sees, and the gated feed-forward. */
  static double operationsOfLayer(JsonNode identity) {
    boolean decodes = identity.path("phase").asText().equals("decode");
    double rows = identity.path("tokens").asDouble();
    double hidden = identity.path("hidden").asDouble();
    double ranks = identity.path("ranks").asDouble();
    double seen = decodes ? identity.path("cachedTokens").asDouble() + 1 : (rows + 1) / 2;
    return rows
        / ranks
        * (8 * hidden * hidden
            + 4 * hidden * seen
            + 6 * hidden * identity.path("intermediate").asDouble());
  }

  private static OptionalDouble bytes(JsonNode identity) {
    double ranks = identity.path("ranks").asDouble();
    return switch (identity.path("kernel").asText()) {
      case "allreduce",
          "allgather",
          "reduce-scatter",
          "all-to-all",
          "all-to-allv",
          "broadcast",
          "send-receive",
          "reduce",
          "gather",
          "scatter",
          "ping-pong",
          "pair-matrix",
          "copy" ->
          OptionalDouble.of(identity.path("bytes").asDouble());
      case "message-rate" ->
          OptionalDouble.of(
              identity.path("bytes").asDouble()
                  * identity.path("window").asDouble()
                  * Math.floor(ranks / 2));
      case "topology-allreduce" ->
          OptionalDouble.of(
              identity.path("elements").asDouble() * Dtypes.width(identity.path("dtype").asText()));
      default -> OptionalDouble.empty();
    };
  }

  /** All samples were taken one after the other, and within the case. */
  private static Optional<String> time(Case one) {
    JsonNode timed = one.facts().path("timedSeconds");
    JsonNode elapsed = one.facts().path("elapsedSeconds");
    double sampled =
        one.components().stream()
            .flatMap(c -> c.samplesSeconds().stream())
            .mapToDouble(s -> s)
            .sum();
    boolean areNumbers = timed.isNumber() && elapsed.isNumber();
    if (!(areNumbers && timed.asDouble() > 0 && timed.asDouble() <= elapsed.asDouble())) {
      return Optional.of(
          "its trials took " + timed + " of the " + elapsed + " seconds that it took");
    }
    return beyondTrials(one, "its samples are", sampled);
  }

  /** Samples, so many seconds in all, that do not fit in the trials that they were taken in. */
  static Optional<String> beyondTrials(Case one, String what, double samples) {
    double sampled = samples * one.identity().path("opsPerSample").asDouble(1);
    JsonNode timed = one.facts().path("timedSeconds");
    return sampled > CLOCKS * timed.asDouble()
        ? Optional.of(what + " " + sampled + " seconds where its trials took " + timed)
        : Optional.empty();
  }

  private static Optional<String> wrongBy(Case one) {
    long kinds = 0;
    for (JsonNode kind : one.facts().path("wrongBy")) {
      kinds += kind.asLong();
    }
    return kinds == 0
        ? Optional.empty()
        : Optional.of(kinds + " wrong elements by their kind where none is told");
  }
}
