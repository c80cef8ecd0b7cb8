package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks a record's shares of the run's limits against its figures and the limits. The bytes that a
 * rank must at least write follow from the case, see {@code native/README.md}.
 */
final class LimitsAudit {
  private LimitsAudit() {}

  /**
   * Wrong shares in a record of a measured case.
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

  /** The bandwidth of the largest copy up to this size. */
  private static double copyLimit(JsonNode limits, double bytes) {
    double limit = 0;
    for (JsonNode copy : limits.path("copies")) {
      if (limit == 0 || copy.path("bytes").asDouble() <= bytes) {
        limit = copy.path("bytesPerSecond").asDouble();
      }
    }
    return limit;
  }

  /** Bytes written by the first rank, or by the busiest where ranks have unequal shares. */
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

  /** Bytes moved; with a single buffer, a rank's own block need not be. */
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
