package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds the shares of the run's limits that a record tells against its figures and those limits:
 * what a rank must write at least follows from the case, as {@code native/README.md} tells.
 */
final class LimitsAudit {
  private LimitsAudit() {}

  /**
   * Shares that do not follow, in a record that says it was measured.
   *
   * @param limits of the same document; null where the run measured none, and then there is no
   *     share
   */
  static Optional<String> contradiction(Case one, @Nullable JsonNode limits) {
    if (!one.disposition().equals("measured")) {
      return Optional.empty();
    }
    for (Component c : one.components()) {
      Optional<String> wrong =
          (limits == null || limits.isNull()
                  ? RecordAudit.differs("ofFlopsLimit", c.ofFlopsLimit(), (Double) null)
                      .or(() -> RecordAudit.differs("ofCopyLimit", c.ofCopyLimit(), (Double) null))
                  : shares(one, c, limits))
              .map(why -> c.name() + ": " + why);
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> shares(Case one, Component c, JsonNode limits) {
    JsonNode peak = limits.path("fmaFlopsPerSecond").path(one.identity().path("dtype").asText());
    Double flops = c.flopsPerSecond();
    double least = leastWritten(one, c);
    return RecordAudit.differs(
            "ofFlopsLimit",
            c.ofFlopsLimit(),
            flops == null || !peak.isNumber() ? null : Double.valueOf(flops / peak.asDouble()))
        .or(
            () ->
                RecordAudit.differs(
                    "ofCopyLimit",
                    c.ofCopyLimit(),
                    least > 0
                        ? Double.valueOf(least / c.p50Seconds() / copyLimit(limits, least))
                        : null));
  }

  /** What the largest copy that is not above the size reached. */
  private static double copyLimit(JsonNode limits, double bytes) {
    double limit = 0;
    for (JsonNode copy : limits.path("copies")) {
      if (limit == 0 || copy.path("bytes").asDouble() <= bytes) {
        limit = copy.path("bytesPerSecond").asDouble();
      }
    }
    return limit;
  }

  /** In bytes, of the first rank, or of the busiest where ranks have unequal shares. */
  private static double leastWritten(Case one, Component c) {
    JsonNode identity = one.identity();
    double ranks = identity.path("ranks").asDouble();
    @Nullable Double told = c.stateBytes();
    double state = told == null ? 0 : told;
    double own =
        switch (identity.path("kernel").asText()) {
          case "allreduce", "allgather", "all-to-all", "broadcast", "send-receive" -> state;
          case "reduce-scatter", "scatter" -> state / ranks;
          case "reduce", "gather" -> identity.path("root").asInt() == 0 ? state : 0;
          case "all-to-allv" -> one.facts().path("receivedBytes").path(0).asDouble();
          case "ping-pong", "pair-matrix" -> state;
          case "topology-allreduce", "tp-layer" -> ranks > 1 ? state : 0;
          case "message-rate" -> state / Math.floor(ranks / 2);
          case "ep" -> ExpertsAudit.leastWritten(one, c.name());
          default -> 0;
        };
    return own * moved(identity);
  }

  /** Where the data stays in one buffer, a rank's own block is there already. */
  private static double moved(JsonNode identity) {
    double ranks = identity.path("ranks").asDouble();
    boolean inPlace = identity.path("inPlace").asBoolean();
    return switch (identity.path("kernel").asText()) {
      case "allreduce", "reduce-scatter" -> ranks > 1 || !inPlace ? 1 : 0;
      case "broadcast" -> ranks > 1 ? 1 : 0;
      default -> inPlace ? (ranks - 1) / ranks : 1;
    };
  }
}
