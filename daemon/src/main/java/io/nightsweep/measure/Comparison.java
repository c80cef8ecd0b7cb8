package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All runs of one config tag, each compared with the baseline of its own time and length. Noise is
 * pooled over all repeated profiles, so that two runs of one profile are judged with what the
 * others have shown about noise.
 */
public final class Comparison {

  private static final double SECONDS_PER_HOUR = 3600;

  private final List<Observation> observations;
  private final Stragglers stragglers;
  private final CarryOver carryOver;
  private final List<Observation> counted;
  private final double origin;
  private final Optional<BaselineFit> fit;
  private final Map<String, Estimate> estimates;
  private final Noise noise;

  private Comparison(List<Observation> observations) {
    this.observations = observations;
    stragglers = Stragglers.of(comparable(observations));
    counted = comparable(stragglers.without(observations));
    this.origin = observations.isEmpty() ? 0 : observations.getFirst().startedAtSeconds();
    Map<String, List<Observation>> byProfile = new LinkedHashMap<>();
    List<Observation> controls = new ArrayList<>();
    for (Observation run : counted) {
      (run.control() ? controls : byProfile.computeIfAbsent(run.profile(), p -> new ArrayList<>()))
          .add(run);
    }
    if (controls.isEmpty()) {
      fit = Optional.empty();
      estimates = Map.of();
      noise = Noise.UNKNOWN;
      carryOver = CarryOver.NONE;
      return;
    }
    Map<String, Integer> arms = new HashMap<>();
    byProfile.forEach(
        (profile, runs) -> {
          if (runs.size() > 1) {
            arms.put(profile, arms.size() + 1);
          }
        });
    BaselineFit baseline = fit(arms);
    fit = Optional.of(baseline);
    noise = noise(baseline, controls.size());
    Map<String, Estimate> found = new TreeMap<>();
    byProfile.forEach(
        (profile, runs) -> found.put(profile, estimate(baseline, runs, arms.get(profile))));
    estimates = Collections.unmodifiableMap(found);
    carryOver =
        CarryOver.of(
            observations,
            counted,
            run -> residual(baseline, run, arms.get(run.profile())),
            run -> run.logMetric() - level(baseline, run).value(),
            noise.total());
  }

  /**
   * Leaves out runs for which there is no control of their length, since nothing can be compared
   * with them.
   */
  private static List<Observation> comparable(List<Observation> runs) {
    Set<Boolean> lengths =
        runs.stream()
            .filter(Observation::control)
            .map(Observation::brief)
            .collect(Collectors.toSet());
    return lengths.isEmpty()
        ? runs
        : runs.stream().filter(run -> lengths.contains(run.brief())).toList();
  }

  /** The baseline at the run's time and of its length. */
  private BaselineFit.Baseline level(BaselineFit baseline, Observation run) {
    return baseline.at(hour(run), !run.brief());
  }

  private OptionalDouble residual(BaselineFit baseline, Observation run, @Nullable Integer arm) {
    if (!run.control() && arm == null) {
      return OptionalDouble.empty();
    }
    double effect = arm == null ? 0 : baseline.effect(arm);
    return OptionalDouble.of(run.logMetric() - level(baseline, run).value() - effect);
  }

  /**
   * Compares runs with their baseline.
   *
   * @param observations of one config tag, in any order
   * @throws IllegalArgumentException if they are of several config tags
   */
  public static Comparison of(List<Observation> observations) {
    if (observations.stream().map(Observation::configTag).distinct().count() > 1) {
      throw new IllegalArgumentException("runs of different config tags cannot be compared");
    }
    return new Comparison(
        observations.stream()
            .sorted(Comparator.comparingDouble(Observation::startedAtSeconds))
            .toList());
  }

  /** The runs that count: all but the stragglers. */
  List<Observation> counted() {
    return counted;
  }

  /** Runs that say nothing about their profile, in the order in which they started. */
  public List<Observation> stragglers() {
    return observations.stream().filter(stragglers.runs()::contains).toList();
  }

  /** Whether the profile has run once and this run may be a straggler. */
  public boolean isSuspect(String profile) {
    List<Observation> own =
        observations.stream().filter(run -> run.profile().equals(profile)).toList();
    return own.size() == 1 && stragglers.isSuspect(own.getFirst());
  }

  /**
   * Whether all counted runs of the profile may be stragglers.
   *
   * @param level the chance below which this is ruled out
   */
  boolean mayAllStraggle(String profile, double level) {
    return stragglers.mayBeAll(
        counted.stream().filter(run -> run.profile().equals(profile)).toList(), level);
  }

  /** The measured influence of a run on the run after it. */
  public CarryOver carryOver() {
    return carryOver;
  }

  /** Whether the run before this one was a baseline run, as far as these runs show. */
  boolean isAfterControl(Observation run) {
    int place = observations.indexOf(run);
    return place > 0 && observations.get(place - 1).control();
  }

  /** The comparison as it was when the last run started by then had ended. */
  Comparison until(double startedAtSeconds) {
    List<Observation> then =
        observations.stream().filter(run -> run.startedAtSeconds() <= startedAtSeconds).toList();
    return then.size() == observations.size() ? this : new Comparison(then);
  }

  public Noise noise() {
    return noise;
  }

  /** The effects by profile, without the controls; empty while there is no control. */
  public Map<String, Estimate> estimates() {
    return estimates;
  }

  public Optional<Estimate> estimate(String profile) {
    return Optional.ofNullable(estimates.get(profile));
  }

  /**
   * The log metric that a baseline run would show at this time; NaN if no control has this length.
   *
   * @param brief whether the run would be a short one
   */
  public double baselineAt(double startedAtSeconds, boolean brief) {
    return fit.filter(b -> counted.stream().anyMatch(r -> r.control() && r.brief() == brief))
        .map(b -> b.at((startedAtSeconds - origin) / SECONDS_PER_HOUR, !brief).value())
        .orElse(Double.NaN);
  }

  /** Each candidate run with the drift correction that goes into its estimate. */
  public List<PairedRatio> ratios() {
    return fit.map(
            baseline ->
                comparable(observations).stream()
                    .filter(run -> !run.control())
                    .map(run -> ratio(baseline, run))
                    .toList())
        .orElse(List.of());
  }

  private PairedRatio ratio(BaselineFit baseline, Observation run) {
    double raw =
        run.logMetric()
            - observations.stream()
                .filter(other -> other.control() && other.block().equals(run.block()))
                .filter(other -> other.brief() == run.brief())
                .mapToDouble(Observation::logMetric)
                .average()
                .orElse(Double.NaN);
    double corrected = run.logMetric() - level(baseline, run).value();
    return new PairedRatio(run, raw, corrected - raw, corrected);
  }

  private BaselineFit fit(Map<String, Integer> arms) {
    List<Observation> repeated =
        counted.stream().filter(run -> run.control() || arms.containsKey(run.profile())).toList();
    double[] hours = repeated.stream().mapToDouble(this::hour).toArray();
    double[] values = repeated.stream().mapToDouble(Observation::logMetric).toArray();
    int[] indices =
        repeated.stream()
            .mapToInt(run -> run.control() ? 0 : arms.getOrDefault(run.profile(), 0))
            .toArray();
    boolean[] whole = new boolean[repeated.size()];
    for (int i = 0; i < whole.length; i++) {
      whole[i] = !repeated.get(i).brief();
    }
    return BaselineFit.of(hours, values, indices, arms.size() + 1, whole);
  }

  private Estimate estimate(BaselineFit baseline, List<Observation> runs, @Nullable Integer arm) {
    if (arm != null) {
      double variance = baseline.effectVariance(arm);
      return new Estimate(
          baseline.effect(arm), noise.total() * Math.sqrt(variance), variance, runs.size());
    }
    Observation only = runs.getFirst();
    BaselineFit.Baseline level = level(baseline, only);
    double variance = 1 + level.variance();
    return new Estimate(
        only.logMetric() - level.value(), noise.total() * Math.sqrt(variance), variance, 1);
  }

  private Noise noise(BaselineFit baseline, int controls) {
    double total = baseline.runDeviation();
    double within =
        Math.sqrt(
            counted.stream()
                .mapToDouble(Observation::logStandardError)
                .filter(Double::isFinite)
                .map(error -> error * error)
                .average()
                .orElse(0));
    return new Noise(total, within, baseline.degreesOfFreedom(), baseline.driftRange(), controls);
  }

  private double hour(Observation run) {
    return (run.startedAtSeconds() - origin) / SECONDS_PER_HOUR;
  }
}
