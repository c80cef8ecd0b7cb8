package io.nightsweep.sim;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The results of many simulated nights of one sweep.
 *
 * @param nights how many
 * @param jobs submitted, retries included
 * @param hours from the start to the end
 * @param nodeHours used by the jobs
 * @param power the chance that a gain is found and confirmed, by gain
 * @param smallestGain found and confirmed in four of five nights, as a fraction; infinite where no
 *     tried gain is
 * @param smallestGainLow lower end of its 95 % interval, from the simulation's own uncertainty
 * @param falseWinners nights that ended with a winner that has no effect
 * @param cutShort the share of nights in which the budget ended before the plan did
 * @param cut by wave, the share of all nights in which the budget cut it
 * @param leftOut candidates that were kept back and had no time left: at least this many in half of
 *     the nights
 * @param pace of each wave of the plan, in its order
 */
public record Rehearsed(
    int nights,
    Spread jobs,
    Spread hours,
    Spread nodeHours,
    List<Chance> power,
    double smallestGain,
    double smallestGainLow,
    double smallestGainHigh,
    int falseWinners,
    double cutShort,
    SortedMap<String, Double> cut,
    int leftOut,
    List<Pace> pace,
    Assumptions assumptions) {

  /** A wave that the budget cuts in a larger share of nights is listed as not done. */
  private static final double OFTEN = 0.5;

  /** The waves, in the plan's order, that the budget cuts in most nights. */
  public List<String> notDone() {
    return pace.stream().filter(p -> p.cut() > OFTEN).map(Pace::wave).toList();
  }

  /** Whether the budget suffices for the whole plan in most nights. */
  public boolean isCarried() {
    return notDone().isEmpty() && cutShort <= OFTEN;
  }

  /** The median over the nights, and the range of nine in ten. */
  public record Spread(double low, double median, double high) {
    static Spread of(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      return new Spread(at(sorted, 0.05), at(sorted, 0.5), at(sorted, 0.95));
    }

    private static double at(List<Double> sorted, double share) {
      return sorted.get((int) Math.round(share * (sorted.size() - 1)));
    }
  }

  /**
   * The chance that a gain is found: one profile gains {@code gain}, a fraction, and all others
   * have no effect.
   */
  public record Chance(double gain, double found) {}

  public Rehearsed {
    power = List.copyOf(power);
    pace = List.copyOf(pace);
    cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
  }
}
