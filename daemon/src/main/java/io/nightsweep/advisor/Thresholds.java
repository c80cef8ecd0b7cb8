package io.nightsweep.advisor;

import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Values of a size threshold that are worth trying. First one below and one above the message size
 * that really occurs, since only the side matters; then, if a value leads, values between it and
 * its neighbours, or beyond it if it is at the edge.
 */
final class Thresholds {
  /** A tried value within this factor of the real size counts as its bracket. */
  private static final long NEAR = 4;

  private final Knob knob;
  private final NavigableMap<Long, Double> tried = new TreeMap<>();
  private final double promising;

  /**
   * @param profiles all of the sweep
   * @param gains expected log-gain by profile, for those that ran
   * @param promising a log-gain that is worth refining
   */
  Thresholds(Knob knob, Iterable<Profile> profiles, Map<String, Double> gains, double promising) {
    this.knob = knob;
    this.promising = promising;
    knob.defaultValue().ifPresent(v -> tried.put(v, 0.0));
    for (Profile p : profiles) {
      knob.value(p).ifPresent(v -> tried.put(v, gains.getOrDefault(p.name(), Double.NaN)));
    }
  }

  /** Empty where values on both sides of the size were tried. */
  List<AdvisedProfile> bracket(long size) {
    List<AdvisedProfile> proposals = new ArrayList<>();
    long below = Long.highestOneBit(Math.max(2, size - 1));
    if (tried.subMap(size / NEAR, true, size, false).isEmpty()) {
      proposals.add(new AdvisedProfile(knob.with(below), Statement.phrase("because-below", size)));
    }
    long above = 2 * Long.highestOneBit(size);
    if (tried.subMap(size, false, NEAR * size, true).isEmpty()) {
      proposals.add(new AdvisedProfile(knob.with(above), Statement.phrase("because-above", size)));
    }
    return proposals;
  }

  /**
   * Empty while a tried value has not run yet, where none leads, or where the steps are fine
   * enough.
   */
  List<AdvisedProfile> refine() {
    Optional<Map.Entry<Long, Double>> best =
        tried.entrySet().stream().max(Map.Entry.comparingByValue());
    if (best.isEmpty() || tried.containsValue(Double.NaN) || best.get().getValue() < promising) {
      return List.of();
    }
    long at = best.get().getKey();
    String leads = knob.with(at).name();
    List<AdvisedProfile> proposals = new ArrayList<>();
    Long lower = tried.lowerKey(at);
    Long higher = tried.higherKey(at);
    if (lower == null) {
      proposals.add(
          new AdvisedProfile(
              knob.with(Math.max(1, at / 2)),
              Statement.phrase("because-knob-leads", leads, Statement.phrase("because-down"))));
    } else if (between(lower, at) > lower && between(lower, at) < at) {
      proposals.add(
          new AdvisedProfile(
              knob.with(between(lower, at)),
              Statement.phrase("because-knob-leads", leads, Statement.phrase("because-between"))));
    }
    if (higher == null) {
      proposals.add(
          new AdvisedProfile(
              knob.with(2 * at),
              Statement.phrase("because-knob-leads", leads, Statement.phrase("because-up"))));
    } else if (between(at, higher) > at && between(at, higher) < higher) {
      proposals.add(
          new AdvisedProfile(
              knob.with(between(at, higher)),
              Statement.phrase("because-knob-leads", leads, Statement.phrase("because-between"))));
    }
    return proposals;
  }

  /**
   * The power of two nearest to the geometric mean; one of the two values if none lies between
   * them.
   */
  private static long between(long low, long high) {
    return 1L << Math.round((log2(low) + log2(high)) / 2);
  }

  private static double log2(long value) {
    return Math.log((double) Math.max(1, value)) / Math.log(2);
  }
}
