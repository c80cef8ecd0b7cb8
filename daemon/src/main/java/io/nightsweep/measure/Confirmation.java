package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * What fresh runs say of one profile.
 *
 * @param profile the profile
 * @param logGain its gain in the confirmation runs alone, which its having been chosen cannot bias;
 *     NaN without any
 * @param interval at the level that this look may spend; unknown until the planned runs are in
 * @param level two-sided chance of error that the look spends
 * @param runs of the profile that are counted
 * @param planned how many runs per arm are planned in all
 * @param plans how many plans that is: the first and its extensions
 * @param complete whether the planned runs are in
 */
public record Confirmation(
    String profile,
    double logGain,
    Interval interval,
    double level,
    int runs,
    int planned,
    int plans,
    boolean complete) {

  /** Of a profile's level, what its first plan spends and what is kept for an extension. */
  private static final double[] SHARES = {0.75, 0.25};

  /** Of the level that is left, what the next profile may spend. */
  private static final double NEXT_SHARE = 2.0 / 3;

  public boolean wins() {
    return complete && interval.low() > 0;
  }

  /** Whether another plan may extend this one. */
  boolean extensible() {
    return plans < SHARES.length;
  }

  /**
   * All confirmations of a sweep, in the order in which they were planned.
   *
   * <p>The sweep may go on confirming as long as it likes: the k-th profile is tested at a third of
   * the level of the one before it, and takes over the whole level of a predecessor that won. This
   * is the online fallback procedure of Tian and Ramdas, "Online control of the familywise error
   * rate" (2021): the chance of any false win is at most {@code level}. Within a profile the
   * planned look and its extension share the profile's level (Bonferroni over the looks, the
   * plainest of group-sequential bounds).
   *
   * @param level two-sided chance of any false statement
   */
  public static List<Confirmation> all(
      Comparison comparison, List<ConfirmationPlan> plans, double level) {
    Map<String, List<ConfirmationPlan>> byProfile = new LinkedHashMap<>();
    for (ConfirmationPlan plan : plans) {
      byProfile.computeIfAbsent(plan.profile(), p -> new ArrayList<>()).add(plan);
    }
    List<Confirmation> confirmations = new ArrayList<>();
    byProfile
        .values()
        .forEach(own -> confirmations.add(of(comparison, own, profileLevel(confirmations, level))));
    return List.copyOf(confirmations);
  }

  /** The level at which the first plan of a further profile would be tested. */
  static double nextLevel(List<Confirmation> sofar, double level) {
    return profileLevel(sofar, level) * SHARES[0];
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
      Comparison comparison, List<ConfirmationPlan> plans, double spendable) {
    String profile = plans.getFirst().profile();
    List<ConfirmationBlock> blocks = ConfirmationBlock.of(comparison.observations(), profile);
    Confirmation latest =
        look(comparison, profile, blocks, plans.getFirst().runsPerArm(), 1, spendable);
    for (int count = 2; count <= Math.min(plans.size(), SHARES.length); count++) {
      if (!latest.complete() || latest.wins()) {
        break;
      }
      int planned = latest.planned() + plans.get(count - 1).runsPerArm();
      latest = look(comparison, profile, blocks, planned, count, spendable);
    }
    return latest;
  }

  /**
   * One look: the weighted mean of the blocks' paired differences. Its variance is the larger of
   * what all repeats of the sweep show and what these runs show themselves, for a candidate may be
   * noisier than the baseline, or the hour rougher than the night.
   */
  private static Confirmation look(
      Comparison comparison,
      String profile,
      List<ConfirmationBlock> blocks,
      int planned,
      int plans,
      double spendable) {
    double level = spendable * SHARES[plans - 1];
    List<ConfirmationBlock> counted = ConfirmationBlock.first(blocks, planned);
    int runs = counted.stream().mapToInt(block -> block.candidate().size()).sum();
    double weight = counted.stream().mapToDouble(ConfirmationBlock::weight).sum();
    double gain = counted.stream().mapToDouble(b -> b.weight() * b.difference()).sum() / weight;
    boolean complete = runs >= planned;
    Interval interval = Interval.UNKNOWN;
    if (complete) {
      double end = counted.stream().mapToDouble(ConfirmationBlock::end).max().orElseThrow();
      double deviations = Math.max(pooled(comparison, end, level), own(counted, gain, level));
      interval = Interval.around(gain, deviations / Math.sqrt(weight));
    }
    return new Confirmation(profile, gain, interval, level, runs, planned, plans, complete);
  }

  /** Noise of the whole sweep up to the look, times the t quantile of its degrees of freedom. */
  private static double pooled(Comparison comparison, double end, double level) {
    Noise noise = comparison.until(end).noise();
    // The wander was fitted too, at the price of about one degree of freedom.
    return noise.known()
        ? noise.total() * quantile(level, Math.max(1, noise.degreesOfFreedom() - 1))
        : Double.NaN;
  }

  /**
   * Noise of these runs alone, times a quantile of no less than eight degrees of freedom: it guards
   * against a larger spread, while ignorance of it is covered by the pooled one.
   */
  private static double own(List<ConfirmationBlock> blocks, double gain, double level) {
    int degreesOfFreedom =
        blocks.stream().mapToInt(ConfirmationBlock::size).sum() - blocks.size() - 1;
    if (degreesOfFreedom < 1) {
      return 0;
    }
    double squares = blocks.stream().mapToDouble(block -> block.residualSquares(gain)).sum();
    return Math.sqrt(squares / degreesOfFreedom) * quantile(level, Math.max(degreesOfFreedom, 8));
  }

  private static double quantile(double level, int degreesOfFreedom) {
    return TDistribution.of(degreesOfFreedom).inverseSurvivalProbability(level / 2);
  }
}
