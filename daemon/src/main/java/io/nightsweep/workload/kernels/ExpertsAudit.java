package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Checks the figures of an experts case for moved and computed data against its identity. The bytes
 * of a copy follow from its format; the number of copies follows from the tokens, the mode and the
 * routing's facts, which must agree with each other.
 */
final class ExpertsAudit {
  /** For fp8: elements that share a scale of four bytes. */
  private static final double SCALE_GROUP = 128;

  private static final double WORD = 4;

  private ExpertsAudit() {}

  static Optional<String> contradiction(Case one) {
    return switch (one.identity().path("kernel").asText()) {
      case "ep" -> routing(one).or(() -> bytes(one));
      case "ep-pipeline" -> routing(one).or(() -> operations(one));
      default -> Optional.empty();
    };
  }

  /** Bytes that the busiest rank must at least write in a part of the round trip. */
  static double leastWritten(Case one, String part) {
    Moved moved = Moved.of(one);
    double dispatch = most(one, "copiesReceivedByRank") * moved.out();
    double combine = most(one, "copiesSentByRank") * moved.back();
    return switch (part) {
      case "dispatch" -> dispatch;
      case "combine" -> combine;
      case "roundTrip" -> dispatch + combine;
      default -> 0;
    };
  }

  /**
   * Bytes of one copy.
   *
   * @param row its token on the way out
   * @param record sent with it: the token's number, the number of slots, the slots and weights
   * @param back its result
   */
  private record Moved(double row, double record, double back) {
    static Moved of(Case one) {
      JsonNode identity = one.identity();
      double hidden = identity.path("hidden").asDouble();
      double slots = isLowLatency(identity) ? 1 : identity.path("topk").asDouble();
      return new Moved(
          token(identity.path("dtype").asText(), hidden),
          WORD * (2 + 2 * slots),
          token(identity.path("combineDtype").asText(), hidden));
    }

    double out() {
      return row + record;
    }

    private static double token(String dtype, double hidden) {
      return dtype.equals("fp8") ? hidden + WORD * hidden / SCALE_GROUP : 2 * hidden;
    }
  }

  private static boolean isLowLatency(JsonNode identity) {
    return identity.path("mode").asText().equals("low-latency");
  }

  private static Optional<String> routing(Case one) {
    JsonNode facts = one.facts();
    List<Double> tokens = tokensByRank(one.identity());
    double all = sum(tokens);
    double copies = facts.path("copies").asDouble();
    Moved moved = Moved.of(one);
    double ways = 0;
    double counted = 0;
    List<Double> fanOuts = numbers(facts, "tokensByCopies");
    for (int copiesOfToken = 0; copiesOfToken < fanOuts.size(); copiesOfToken++) {
      counted += fanOuts.get(copiesOfToken);
      ways += copiesOfToken * fanOuts.get(copiesOfToken);
    }
    double far =
        Stream.of("copiesToSelf", "copiesInNode", "copiesInDomain", "copiesBeyond")
            .mapToDouble(where -> facts.path(where).asDouble())
            .sum();
    if (!numbers(facts, "tokensByRank").equals(tokens)) {
      return Optional.of(
          "its ranks' tokens are " + facts.path("tokensByRank") + " where " + tokens + " follow");
    }
    return Stream.of(
            differs("tokens by their copies", counted, all),
            differs("copies of those tokens", ways, copies),
            differs("copies near and far", far, copies),
            differs("copiesPerToken", facts.path("copiesPerToken").asDouble(), copies / all),
            differs("copiesReceivedByRank", sum(numbers(facts, "copiesReceivedByRank")), copies),
            differs("copiesSentByRank", sum(numbers(facts, "copiesSentByRank")), copies),
            differs("bytesPerCopy", facts.path("bytesPerCopy").asDouble(), moved.row()),
            differs(
                "recordBytesPerCopy", facts.path("recordBytesPerCopy").asDouble(), moved.record()),
            differs(
                "returnBytesPerCopy", facts.path("returnBytesPerCopy").asDouble(), moved.back()),
            sent(one, tokens),
            imbalance(one))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** A token goes to at least one rank, and to no more ranks than its experts can be on. */
  private static Optional<String> sent(Case one, List<Double> tokens) {
    JsonNode identity = one.identity();
    double topk = identity.path("topk").asDouble();
    double ranks = identity.path("ranks").asDouble();
    boolean isLocal =
        identity.path("routing").asText().equals("balanced-rank-local")
            && identity.path("redundantExperts").asInt() == 0;
    double least = isLowLatency(identity) ? topk : 1;
    double most = isLowLatency(identity) ? topk : isLocal ? 1 : Math.min(topk, ranks);
    List<Double> sent = numbers(one.facts(), "copiesSentByRank");
    for (int rank = 0; rank < tokens.size(); rank++) {
      double own = rank < sent.size() ? sent.get(rank) : Double.NaN;
      if (!(own >= least * tokens.get(rank) && own <= most * tokens.get(rank))) {
        return Optional.of(
            "rank " + rank + " sends " + own + " copies of " + tokens.get(rank) + " tokens");
      }
    }
    return Optional.empty();
  }

  /**
   * The busiest rank's choices divided by the mean: at least 1, and at most the number of ranks.
   */
  private static Optional<String> imbalance(Case one) {
    double told = one.facts().path("imbalance").asDouble();
    return told >= 1 && told <= one.identity().path("ranks").asDouble()
        ? Optional.empty()
        : Optional.of("its imbalance is " + told);
  }

  private static Optional<String> bytes(Case one) {
    Moved moved = Moved.of(one);
    double dispatched = most(one, "copiesSentByRank") * moved.out();
    double returned = most(one, "copiesReceivedByRank") * moved.back();
    return one.components().stream()
        .flatMap(
            c ->
                RecordAudit.differs(
                    c.name() + ": stateBytes",
                    c.stateBytes(),
                    switch (c.name()) {
                      case "roundTrip" -> Double.valueOf(dispatched + returned);
                      case "dispatch" -> Double.valueOf(dispatched);
                      case "combine" -> Double.valueOf(returned);
                      default -> null;
                    })
                    .stream())
        .findFirst();
  }

  /**
   * Each choice is one row for an expert, which multiplies by three matrices; the count is the
   * first rank's.
   */
  private static Optional<String> operations(Case one) {
    JsonNode identity = one.identity();
    List<Double> rows = numbers(one.facts(), "expertRowsByRank");
    double choices =
        sum(tokensByRank(identity))
            * identity.path("batches").asDouble()
            * identity.path("topk").asDouble();
    Optional<String> lost = differs("expertRowsByRank", sum(rows), choices);
    if (lost.isPresent()) {
      return lost;
    }
    double flops =
        6
            * rows.getFirst()
            * identity.path("hidden").asDouble()
            * identity.path("intermediate").asDouble();
    return one.components().stream()
        .filter(c -> !c.name().equals("communication"))
        .flatMap(c -> rate(c, flops).stream())
        .findFirst();
  }

  private static Optional<String> rate(Component c, double flops) {
    return RecordAudit.differs(
        c.name() + ": flopsPerSecond",
        c.flopsPerSecond(),
        flops > 0 ? Double.valueOf(flops / c.p50Seconds()) : null);
  }

  /** Each rank's tokens in one micro-batch, or all its tokens if the case has no micro-batches. */
  private static List<Double> tokensByRank(JsonNode identity) {
    int ranks = identity.path("ranks").asInt();
    long each = identity.path("tokens").asLong() / Math.max(1, identity.path("batches").asInt(1));
    List<Double> tokens = new ArrayList<>();
    for (long rank = 0; rank < ranks; rank++) {
      tokens.add(
          (double)
              switch (identity.path("tokenSpread").asText()) {
                case "linear" ->
                    each * (rank + 1) * (rank + 2) / (ranks + 1)
                        - each * rank * (rank + 1) / (ranks + 1);
                case "empty-rank" ->
                    ranks == 1 ? each : besideAnEmptyOne(each * ranks, rank, ranks);
                default -> each;
              });
    }
    return tokens;
  }

  private static long besideAnEmptyOne(long all, long rank, int ranks) {
    return rank == ranks - 1 ? 0 : all / (ranks - 1) + (rank < all % (ranks - 1) ? 1 : 0);
  }

  private static double most(Case one, String fact) {
    return numbers(one.facts(), fact).stream().mapToDouble(n -> n).max().orElse(Double.NaN);
  }

  private static double sum(List<Double> numbers) {
    return numbers.stream().mapToDouble(n -> n).sum();
  }

  private static List<Double> numbers(JsonNode facts, String name) {
    List<Double> numbers = new ArrayList<>();
    facts.path(name).forEach(n -> numbers.add(n.asDouble()));
    return numbers;
  }

  private static Optional<String> differs(String name, double told, double is) {
    return RecordAudit.differs(name, Double.valueOf(told), Double.valueOf(is));
  }
}
