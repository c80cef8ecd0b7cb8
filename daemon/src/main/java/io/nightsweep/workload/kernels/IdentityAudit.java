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
 * Checks a measured case's record against its identity (which parts its kernel times, and how many
 * bytes it works on) and against the case's total time. {@code native/README.md} has the rules.
 */
final class IdentityAudit {
  /** Sizes are rounded down to whole elements, for every rank where each rank has a block. */
  private static final double LARGEST_ELEMENT = 8;

  /** Allowed difference between the clocks of ranks or devices. */
  static final double CLOCKS = 1.01;

  private IdentityAudit() {}

  static Optional<String> contradiction(Case one) {
    return Stream.of(parts(one), state(one), time(one), wrongBy(one))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The main part comes first; no part is missing or listed twice. */
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

  /** Bandwidths are computed for the requested size, rounded down to whole elements. */
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
   * Matrix products have only operations per second; the bytes that experts move follow from their
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

  /** The bytes of a layer: two sums over every token's activations; computing moves nothing. */
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

  /**
   * Operations of one rank: projections, attention scores over what each token sees, and the gated
   * feed-forward.
   */
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

  /** Samples are taken one after the other within the case, so their sum cannot exceed its time. */
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

  /** Reports samples whose total time exceeds that of the trials in which they were taken. */
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
        : Optional.of(kinds + " wrong elements by their kind where none is given");
  }
}
