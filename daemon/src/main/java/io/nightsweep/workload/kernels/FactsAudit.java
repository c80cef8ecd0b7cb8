package io.nightsweep.workload.kernels;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.workload.kernels.KernelResult.Case;
import io.nightsweep.workload.kernels.KernelResult.Component;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks facts of a record that are figures against its samples, since they are published too.
 * {@code native/README.md} has the rules.
 */
final class FactsAudit {
  /** At most this share of the smaller part can be hidden; the program reports nothing above it. */
  private static final double MOST_HIDDEN = 1.1;

  /** The most multiplications with which the rounding of a product is checked in doubles. */
  private static final double CHECKED_MULTIPLICATIONS = 1 << 27;

  private FactsAudit() {}

  static Optional<String> contradiction(Case one) {
    return ofKernel(one).or(() -> wallClock(one));
  }

  private static Optional<String> ofKernel(Case one) {
    return switch (one.identity().path("kernel").asText()) {
      case "gemm" ->
          fact(one, "elementsCompared", elements(one))
              .or(() -> fact(one, "elementsHeldForRounding", heldForRounding(one)));
      case "all-to-allv" -> received(one);
      case "message-rate" ->
          fact(one, "pairs", pairsAtOnce(one))
              .or(() -> fact(one, "messagesPerSecond", messages(one)));
      case "pair-matrix" -> pairs(one);
      case "topology-allreduce" -> TopologyAudit.contradiction(one);
      case "ep-pipeline" -> fact(one, "overlapFraction", hidden(one));
      case "tp-layer" ->
          fact(one, "communicationShare", ratio(one, "communication", "split"))
              .or(() -> fact(one, "perOpOverSplit", ratio(one, "per-op", "split")));
      default -> Optional.empty();
    };
  }

  private static Optional<String> fact(Case one, String name, @Nullable Double is) {
    JsonNode told = one.facts().path(name);
    return RecordAudit.differs(name, told.isNumber() ? Double.valueOf(told.asDouble()) : null, is);
  }

  private static Double elements(Case one) {
    return one.identity().path("m").asDouble() * one.identity().path("n").asDouble();
  }

  /** The number of checked elements: all, or a sample with at least one of each row and column. */
  private static Double heldForRounding(Case one) {
    JsonNode identity = one.identity();
    double longer = Math.max(identity.path("m").asDouble(), identity.path("n").asDouble());
    double affordable = Math.floor(CHECKED_MULTIPLICATIONS / identity.path("k").asDouble());
    return Math.min(elements(one), Math.max(longer, affordable));
  }

  /**
   * Received bytes must equal sent bytes, except for elements lost when shares are rounded down.
   */
  private static Optional<String> received(Case one) {
    JsonNode told = one.facts().path("receivedBytes");
    double ranks = one.identity().path("ranks").asDouble();
    double sent = ranks * one.identity().path("bytes").asDouble();
    double sum = 0;
    double most = 0;
    for (JsonNode bytes : told) {
      sum += bytes.asDouble();
      most = Math.max(most, bytes.asDouble());
    }
    double rounded = Dtypes.width(one.identity().path("dtype").asText()) * ranks * (ranks + 1);
    return told.size() != ranks || sum > sent || sum <= sent - rounded
        ? Optional.of("its ranks receive " + told + " bytes where " + sent + " are sent")
        : fact(one, "imbalance", most * ranks / sum);
  }

  private static Double pairsAtOnce(Case one) {
    return Math.floor(one.identity().path("ranks").asDouble() / 2);
  }

  private static Double messages(Case one) {
    return one.identity().path("window").asDouble()
        * pairsAtOnce(one)
        / one.components().getFirst().p50Seconds();
  }

  private static double p50(Case one, String part) {
    return one.components().stream()
        .filter(c -> c.name().equals(part))
        .mapToDouble(Component::p50Seconds)
        .findFirst()
        .orElse(Double.NaN);
  }

  private static Double ratio(Case one, String part, String of) {
    return p50(one, part) / p50(one, of);
  }

  private static @Nullable Double hidden(Case one) {
    double fraction =
        (p50(one, "blocking") - p50(one, "overlapped"))
            / Math.min(p50(one, "communication"), p50(one, "compute"));
    return fraction <= MOST_HIDDEN ? Double.valueOf(fraction) : null;
  }

  /** Checks the parts: each is named after its two ranks, and the slowest is listed once more. */
  private static Optional<String> pairs(Case one) {
    List<JsonNode> told = new ArrayList<>();
    one.facts().path("pairs").forEach(told::add);
    if (told.size() != one.components().size()) {
      return Optional.of(
          told.size() + " pairs are given where " + one.components().size() + " were timed");
    }
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < told.size(); i++) {
      Component c = one.components().get(i);
      JsonNode pair = told.get(i);
      if (!c.name().equals(pair.path("from").asText() + "-" + pair.path("to").asText())) {
        return Optional.of("a pair is given as " + pair + " where " + c.name() + " was timed");
      }
      Optional<String> wrong = bandwidth(c.name(), pair, c.algbwBytesPerSecond());
      if (wrong.isPresent()) {
        return wrong;
      }
      least = Math.min(least, Objects.requireNonNullElse(c.algbwBytesPerSecond(), Double.NaN));
    }
    return bandwidth("slowestPair", one.facts().path("slowestPair"), least);
  }

  private static Optional<String> bandwidth(String what, JsonNode pair, @Nullable Double is) {
    return RecordAudit.differs(
        what + ": bytesPerSecond", Double.valueOf(pair.path("bytesPerSecond").asDouble()), is);
  }

  /**
   * For a GPU's times the host's are recorded too: for each sample the host must take longer, since
   * its clock starts before and stops after.
   */
  private static Optional<String> wallClock(Case one) {
    JsonNode told = one.facts().path("wallClock");
    List<Component> timed =
        Backends.isOnGpus(one.identity().path("backend").asText()) ? one.components() : List.of();
    if (told.size() != timed.size()) {
      return Optional.of(
          told.size() + " parts have a wall clock where " + timed.size() + " are timed by GPUs");
    }
    double all = 0;
    for (Component part : timed) {
      String name = "wallClock of " + part.name();
      List<Double> samples = new ArrayList<>();
      told.path(part.name()).path("samplesSeconds").forEach(s -> samples.add(s.asDouble()));
      if (samples.size() != one.trials() * one.iterations()) {
        return Optional.of(name + " has " + samples.size() + " samples");
      }
      for (int i = 0; i < samples.size(); i++) {
        if (samples.get(i) * IdentityAudit.CLOCKS < part.samplesSeconds().get(i)) {
          return Optional.of(
              name
                  + ": sample "
                  + i
                  + " is "
                  + samples.get(i)
                  + " seconds where its GPUs took "
                  + part.samplesSeconds().get(i));
        }
        all += samples.get(i);
      }
      samples.sort(null);
      Optional<String> wrong =
          RecordAudit.differs(
              name,
              Double.valueOf(told.path(part.name()).path("p50Seconds").asDouble()),
              Double.valueOf(RecordAudit.percentile(samples, 0.5)));
      if (wrong.isPresent()) {
        return wrong;
      }
    }
    return IdentityAudit.beyondTrials(one, "its wall clocks tell", all);
  }
}
