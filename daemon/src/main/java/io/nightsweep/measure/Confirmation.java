package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.FDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * What fresh runs show about one profile.
 *
 * @param profile the profile
 * @param logGain its gain in the confirmation runs alone, free of the bias from choosing the best;
 *     NaN without such runs
 * @param interval at the level that this look may spend; unknown until the planned runs are in
 * @param level two-sided chance of error that the look spends
 * @param runs of the profile that are counted
 * @param planned how many runs per arm are planned in all
 * @param most runs per arm that all its looks together may use
 * @param complete whether the planned runs are in
 */
public record Confirmation(
    String profile,
    double logGain,
    Interval interval,
    double level,
    int runs,
    int planned,
    int most,
    boolean complete) {

  /** Allowed chance that runs of equal noise are taken for noisier ones. */
  private static final double NOISIER = 0.1;

  /** The share of the remaining level that the next profile may spend. */
  private static final double NEXT_SHARE = 2.0 / 3;

  /** Degrees of freedom of the carry-over correction, which uses nearly all runs of the sweep. */
  private static final int MANY_DEGREES = 20;

  public boolean wins() {
    return interval.low() > 0;
  }

  /** Whether another look, after more runs, may still decide. */
  boolean extensible() {
    return planned < most;
  }

  /**
   * All confirmations of a sweep, in the order in which they were planned.
   *
   * <p>A sweep may confirm any number of profiles: each is tested at a third of the level of the
   * one before it, and takes over the whole level of a predecessor that won. This is the online
   * fallback procedure of Tian and Ramdas, "Online control of the familywise error rate" (2021):
   * the chance of any false win is at most {@code level}. Within a profile each plan ends with a
   * look at all fresh runs so far, and the looks share the profile's level by {@link
   * GroupSequential}.
   *
   * @param level two-sided chance of any false statement
   * @param most runs per arm that one profile may use
   */
  public static List<Confirmation> all(
      Comparison comparison, List<ConfirmationPlan> plans, double level, int most) {
    Map<String, List<ConfirmationPlan>> byProfile = new LinkedHashMap<>();
    for (ConfirmationPlan plan : plans) {
      byProfile.computeIfAbsent(plan.profile(), p -> new ArrayList<>()).add(plan);
    }
    List<Confirmation> confirmations = new ArrayList<>();
    byProfile
        .values()
        .forEach(
            own ->
                confirmations.add(of(comparison, own, profileLevel(confirmations, level), most)));
    return List.copyOf(confirmations);
  }

  /** The level that all looks at another profile would share. */
  static double nextLevel(List<Confirmation> sofar, double level) {
    return profileLevel(sofar, level);
  }

  private static double profileLevel(List<Confirmation> earlier, double level) {
    double own = level * NEXT_SHARE;
    double inherited = 0;
    for (Confirmation confirmation : earlier) {
      inherited = confirmation.wins() ? own + inherited : 0;
      own *= 1 - NEXT_SHARE;
    }
    return own + inherited;
  }

  private static Confirmation of(
      Comparison comparison, List<ConfirmationPlan> plans, double spendable, int most) {
    String profile = plans.getFirst().profile();
    List<ConfirmationBlock> blocks = ConfirmationBlock.of(comparison.counted(), profile);
    List<Integer> looks = new ArrayList<>();
    plans.forEach(plan -> looks.add((looks.isEmpty() ? 0 : looks.getLast()) + plan.runsPerArm()));
    // Journals of earlier builds may contain more runs than one profile is allowed today.
    int whole = Math.max(most, looks.getLast());
    for (int count = 1; true; count++) {
      double level =
          GroupSequential.nominalLevels(spendable, looks.subList(0, count), whole).getLast();
      Confirmation look = look(comparison, profile, blocks, looks.get(count - 1), whole, level);
      if (count == looks.size() || !look.complete() || look.wins()) {
        return look;
      }
    }
  }

  /**
   * One look: the weighted mean of the blocks' paired differences. Its variance is the larger of
   * two estimates, from all repeats of the sweep and from these runs alone, since a candidate may
   * be noisier than the baseline, or this hour noisier than the night.
   */
  private static Confirmation look(
      Comparison comparison,
      String profile,
      List<ConfirmationBlock> blocks,
      int planned,
      int most,
      double level) {
    List<ConfirmationBlock> counted = ConfirmationBlock.first(blocks, planned);
    int runs = counted.stream().mapToInt(block -> block.candidate().size()).sum();
    double weight = counted.stream().mapToDouble(ConfirmationBlock::weight).sum();
    boolean complete = runs >= planned;
    if (!complete) {
      return new Confirmation(
          profile, gain(counted, weight), Interval.UNKNOWN, level, runs, planned, most, false);
    }
    double end = counted.stream().mapToDouble(ConfirmationBlock::end).max().orElseThrow();
    Comparison known = comparison.until(end);
    CarryOver carried = known.carryOver();
    List<ConfirmationBlock> corrected =
        carried.isShown()
            ? counted.stream()
                .map(b -> b.changed(run -> -carried.of(run, known.isAfterControl(run))))
                .toList()
            : counted;
    double gain = gain(corrected, weight);
    Noise noise = known.noise();
    double deviations = Math.max(pooled(noise, level), own(corrected, gain, noise, level));
    double unsure =
        carried.isShown()
            ? carryOverError(counted, weight, known) * quantile(level, MANY_DEGREES)
            : 0;
    Interval interval = Interval.around(gain, Math.hypot(deviations / Math.sqrt(weight), unsure));
    return new Confirmation(profile, gain, interval, level, runs, planned, most, complete);
  }

  private static double gain(List<ConfirmationBlock> blocks, double weight) {
    return blocks.stream().mapToDouble(b -> b.weight() * b.difference()).sum() / weight;
  }

  /** Standard error that the carry-over correction adds to the gain. */
  private static double carryOverError(
      List<ConfirmationBlock> blocks, double weight, Comparison known) {
    double candidates = 0;
    double controls = 0;
    for (ConfirmationBlock block : blocks) {
      candidates += block.weight() * afterControl(block.candidate(), known);
      controls += block.weight() * afterControl(block.control(), known);
    }
    return Math.hypot(
        candidates / weight * known.carryOver().candidatesError(),
        controls / weight * known.carryOver().controlsError());
  }

  private static double afterControl(List<Observation> runs, Comparison known) {
    return runs.stream().mapToDouble(r -> known.isAfterControl(r) ? 1 : 0).average().orElseThrow();
  }

  /** Noise of the whole sweep up to the look, times the t quantile of its degrees of freedom. */
  private static double pooled(Noise noise, double level) {
    // Fitting the wander costs about one degree of freedom.
    return noise.known()
        ? noise.total() * quantile(level, Math.max(1, noise.degreesOfFreedom() - 1))
        : Double.NaN;
  }

  /**
   * Noise of these runs alone, times a t quantile of at least eight degrees of freedom. It guards
   * against a larger spread in these runs; the pooled noise covers the uncertainty of few runs. If
   * these runs are clearly noisier than the others, the pooled noise says nothing about them, and
   * the quantile uses only their own degrees of freedom.
   */
  private static double own(
      List<ConfirmationBlock> blocks, double gain, Noise noise, double level) {
    int degreesOfFreedom =
        blocks.stream().mapToInt(ConfirmationBlock::size).sum() - blocks.size() - 1;
    if (degreesOfFreedom < 1) {
      return 0;
    }
    double squares = blocks.stream().mapToDouble(block -> block.residualSquares(gain)).sum();
    boolean noisier =
        !noise.known()
            || squares / degreesOfFreedom / (noise.total() * noise.total())
                > FDistribution.of(degreesOfFreedom, noise.degreesOfFreedom())
                    .inverseSurvivalProbability(NOISIER);
    return Math.sqrt(squares / degreesOfFreedom)
        * quantile(level, noisier ? degreesOfFreedom : Math.max(degreesOfFreedom, 8));
  }

  private static double quantile(double level, int degreesOfFreedom) {
    return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(level / 2);
  }
}
