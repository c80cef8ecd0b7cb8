package io.nightsweep.sim;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What many simulated nights of one sweep came to.
 *
 * @param nights how many
 * @param jobs submitted, retries included
 * @param hours from the start to the end
 * @param nodeHours that the jobs took of the pinned nodes
 * @param power the chance that a gain is found and confirmed, by gain
 * @param smallestGain found and confirmed in four of five nights, as a fraction; infinite where no
 *     gain that was tried is
 * @param smallestGainLow 95 % interval of it, by what the simulation itself leaves open
 * @param falseWinners nights that ended with a winner that does nothing
 * @param cutShort the share of nights in which the budget ended before the plan did
 * @param cut by wave, the share of all nights in which the budget cut it
 * @param leftOut candidates that were kept back and for which no time was left: so many or more in
 *     half of the nights
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

  /** A wave that the budget cuts in more nights than this is not promised. */
  private static final double OFTEN = 0.5;

  /** The waves, in the plan's order, that most nights' budget does not carry whole. */
  public List<String> notDone() {
    return pace.stream().filter(p -> p.cut() > OFTEN).map(Pace::wave).toList();
  }

  /** Whether most nights' budget carries the whole plan. */
  public boolean isCarried() {
    return notDone().isEmpty() && cutShort <= OFTEN;
  }

  /** The middle of the nights, and what nine of ten lie between. */
  public record Spread(double low, double median, double high) {
    static Spread of(List<Double> values) {
      List<Double> sorted = values.stream().sorted().toList();
      return new Spread(at(sorted, 0.05), at(sorted, 0.5), at(sorted, 0.95));
    }

    private static double at(List<Double> sorted, double share) {
      return sorted.get((int) Math.round(share * (sorted.size() - 1)));
    }
  }

  /** One profile does better by {@code gain}, a fraction; all others do nothing. */
  public record Chance(double gain, double found) {}

  public Rehearsed {
    power = List.copyOf(power);
    pace = List.copyOf(pace);
    cut = Collections.unmodifiableSortedMap(new TreeMap<>(cut));
  }
}
