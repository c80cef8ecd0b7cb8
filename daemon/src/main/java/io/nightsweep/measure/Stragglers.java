package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Finds runs that are far slower than other runs of the same profile, for instance since a node
 * throttled, a link flapped or another tenant interfered. Such runs say nothing about the profile.
 * The rule treats the baseline's runs and a candidate's alike, so that leaving runs out favours
 * neither.
 *
 * <p>Each run is compared with the median of the five controls of its length nearest in time, which
 * a few stragglers or a drift hardly move. A run is left out if it lies further than the threshold
 * from the median of its own profile's runs, on either side, since leaving out only slow runs would
 * make a noisy profile look fast; of two runs, the slower one is left out. The threshold is the
 * largest of 4 %, 4.5 robust deviations (median absolute deviation) of all runs, and 4.5 of the
 * profile's own runs: a profile that is noisier than the others has no stragglers. A run on a node
 * that is known to have been slowed down is left out as soon as another run of its profile is
 * faster.
 *
 * @param runs the stragglers
 * @param suspectBelow loss from which a profile's only run is repeated, as a log-ratio; infinite
 *     while too few runs are known
 * @param ratios of each run to the baseline of its time
 * @param compared how many runs were compared with others of their profile
 */
record Stragglers(
    Set<Observation> runs, double suspectBelow, Map<Observation, Double> ratios, long compared) {
  private static final int FEWEST_RUNS = 8;
  private static final int FEWEST_CONTROLS = 3;
  private static final int FEWEST_OWN = 4;
  private static final int NEAREST = 5;
  private static final double LEAST = 0.04;

  /** A profile's only run is repeated if it lost at least this much. */
  private static final double SUSPECT = 0.03;

  private static final double DEVIATIONS = 4.5;

  /** Standard deviation of a normal distribution, divided by its median absolute deviation. */
  private static final double NORMAL_MAD = 1.4826;

  /** No straggler is slower than this; a greater loss is due to the profile itself. */
  private static final double SLOWEST = 0.2;

  private static final int SEVERAL = 2;
  private static final double OFTEN = 0.04;

  static Stragglers of(List<Observation> inOrder) {
    List<Observation> controls = inOrder.stream().filter(Observation::control).toList();
    if (controls.isEmpty()) {
      return new Stragglers(Set.of(), Double.POSITIVE_INFINITY, Map.of(), 0);
    }
    List<Observation> distinct = inOrder.stream().distinct().toList();
    Map<Observation, Double> ratios = HashMap.newHashMap(distinct.size());
    for (Observation run : distinct) {
      ratios.put(run, run.logMetric() - near(controls, run));
    }
    Collection<List<Observation>> profiles =
        distinct.stream().collect(Collectors.groupingBy(Observation::profile)).values();
    Set<Observation> slow = new HashSet<>();
    profiles.forEach(own -> slow.addAll(strained(own, ratios)));
    if (controls.size() < FEWEST_CONTROLS || inOrder.size() < FEWEST_RUNS) {
      return new Stragglers(Set.copyOf(slow), Double.POSITIVE_INFINITY, ratios, 0);
    }
    double centre = Median.of(ratios.values().stream().mapToDouble(d -> d).toArray());
    double spread =
        Median.of(
            profiles.stream()
                .flatMapToDouble(
                    own -> {
                      double level = own.size() > 1 ? Median.of(of(own, ratios)) : centre;
                      return Arrays.stream(of(own, ratios)).map(r -> Math.abs(r - level));
                    })
                .toArray());
    double rough = DEVIATIONS * NORMAL_MAD * spread;
    double threshold = Math.max(LEAST, rough);
    for (List<Observation> own : profiles) {
      double[] values = of(own, ratios);
      double level = own.size() == 2 ? Math.max(values[0], values[1]) : Median.of(values);
      double limit = Math.max(threshold, own.size() < FEWEST_OWN ? 0 : limit(values, level));
      own.stream()
          .filter(r -> Math.abs(ratios.getOrDefault(r, level) - level) > limit)
          .forEach(slow::add);
    }
    long compared = profiles.stream().mapToLong(Collection::size).filter(count -> count > 1).sum();
    return new Stragglers(Set.copyOf(slow), Math.max(SUSPECT, rough), ratios, compared);
  }

  /**
   * Runs on a slowed-down node, if a run of the same profile on sound nodes is faster by more than
   * the least threshold.
   */
  private static List<Observation> strained(
      List<Observation> own, Map<Observation, Double> ratios) {
    if (own.stream().noneMatch(Observation::strained)) {
      return List.of();
    }
    double sound =
        own.stream()
            .filter(r -> !r.strained())
            .mapToDouble(r -> ratios.getOrDefault(r, 0.0))
            .max()
            .orElse(Double.NEGATIVE_INFINITY);
    return own.stream()
        .filter(r -> r.strained() && ratios.getOrDefault(r, 0.0) < sound - LEAST)
        .toList();
  }

  /**
   * The threshold in the profile's own deviations; wider for few runs, which may look too quiet.
   */
  private static double limit(double[] values, double level) {
    double spread = Median.of(Arrays.stream(values).map(v -> Math.abs(v - level)).toArray());
    return DEVIATIONS * NORMAL_MAD * spread * (1 + 2.0 / values.length);
  }

  private static double[] of(List<Observation> runs, Map<Observation, Double> ratios) {
    return runs.stream().mapToDouble(r -> ratios.getOrDefault(r, 0.0)).toArray();
  }

  /**
   * Whether a profile's only run may be a straggler: a node was slowed down during it, or it lies
   * further below the baseline than noise explains, but within the range of stragglers. If
   * stragglers are frequent, any run below the baseline may hide a profile that gains.
   */
  boolean isSuspect(Observation only) {
    double ratio = ratios.getOrDefault(only, 0.0);
    if (only.control()) {
      return false;
    }
    return only.strained()
        ? ratio < 0
        : ratio > Math.log1p(-SLOWEST) && ratio < (areFrequent() ? 0 : -suspectBelow);
  }

  /**
   * Whether all runs of a profile may be stragglers: each lies in the range of stragglers, and at
   * this sweep's rate of stragglers the chance of so many is above the level. These runs alone
   * cannot distinguish such a profile from one that really loses.
   *
   * @param own runs of one profile, none of them left out
   */
  boolean mayBeAll(List<Observation> own, double level) {
    return compared > 0
        && Math.pow((double) runs.size() / compared, own.size()) > level
        && own.stream()
            .mapToDouble(run -> ratios.getOrDefault(run, 0.0))
            .allMatch(ratio -> ratio < -suspectBelow && !isBeyond(ratio));
  }

  /** Whether the loss is too large for a straggler. */
  static boolean isBeyond(double logGain) {
    return logGain < Math.log1p(-SLOWEST);
  }

  private boolean areFrequent() {
    return runs.size() >= SEVERAL && runs.size() >= OFTEN * ratios.size();
  }

  /** The median of the nearest controls; of two that are equally near, the earlier one. */
  private static double near(List<Observation> controls, Observation run) {
    return Median.of(
        controls.stream()
            .filter(c -> c.brief() == run.brief())
            .sorted(
                Comparator.comparingDouble(
                    c -> Math.abs(c.startedAtSeconds() - run.startedAtSeconds())))
            .limit(NEAREST)
            .mapToDouble(Observation::logMetric)
            .toArray());
  }

  /** The runs that are not stragglers, in their order. */
  List<Observation> without(List<Observation> inOrder) {
    List<Observation> counted = new ArrayList<>(inOrder);
    counted.removeIf(runs::contains);
    return List.copyOf(counted);
  }
}
