package io.nightsweep.report;

import io.nightsweep.conductor.RealData;
import io.nightsweep.conductor.RealData.RealDataRun;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Deployment.Recipe;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The best profile on one (parallelism, config tag).
 *
 * @param primary whether the profiles were screened here; otherwise only the winner was checked
 * @param axes the {@code *_parallelism} settings of its runs, as far as the sweep's inventory has
 *     them
 * @param when the config tag's overrides
 * @param profile the sweep's winner, or the baseline where there is none
 * @param deploys whether to deploy the profile here; otherwise the baseline stays
 * @param realData the outcome of the run on real data, if the profile changes what is trained
 * @param restoresDefaults whether the recipe is the image without the deployed settings
 * @param baselineMean of the metric over the baseline's runs; on a winner's tag, over those beside
 *     its fresh runs; NaN where there are none
 * @param mean of the metric over the profile's runs; for a winner, over its fresh runs; NaN where
 *     there are none
 * @param logGain over the baseline; NaN where it was not measured
 * @param runs number of runs in the mean
 */
record CellSummary(
    String parallelism,
    String configTag,
    boolean primary,
    SortedMap<String, String> axes,
    SortedMap<String, String> when,
    String profile,
    String settings,
    boolean deploys,
    RealDataRun realData,
    SortedMap<String, String> flags,
    SortedMap<String, String> env,
    boolean restoresDefaults,
    double baselineMean,
    double mean,
    double logGain,
    Interval interval,
    int runs) {
  CellSummary {
    axes = Collections.unmodifiableSortedMap(new TreeMap<>(axes));
    when = Collections.unmodifiableSortedMap(new TreeMap<>(when));
    flags = Collections.unmodifiableSortedMap(new TreeMap<>(flags));
    env = Collections.unmodifiableSortedMap(new TreeMap<>(env));
  }

  /** One summary for each config tag of the sweep, its primary one first. */
  static List<CellSummary> of(SweepState s) {
    Optional<Standing> winner = Standings.winner(s);
    return s.spec().configTags().stream()
        .filter(tag -> tag.equals(s.spec().primaryTag()) || winner.isPresent())
        .map(tag -> of(s, winner, tag))
        .toList();
  }

  private static CellSummary of(SweepState s, Optional<Standing> winner, ConfigTag tag) {
    boolean primary = tag.equals(s.spec().primaryTag());
    Profile profile =
        winner.map(w -> s.profile(w.profile())).orElseGet(() -> s.profile(Profile.BASELINE));
    Optional<Standing> here = Standings.board(s, tag.name()).of(profile.name());
    CountedRuns runs =
        primary && winner.isPresent()
            ? CountedRuns.fresh(s, profile.name(), winner.get().verdict().runs())
            : CountedRuns.on(s, tag.name());
    RealData realData = RealData.of(s, profile);
    boolean deploys =
        winner.isPresent() && PageView.holds(s, profile.name(), tag) && realData.deploys();
    return new CellSummary(
        s.cell().parallelism(),
        tag.name(),
        primary,
        axes(s, tag),
        tag.overrides(),
        profile.name(),
        profile.describe(),
        deploys,
        realData.run(),
        deploys ? profile.flags() : new TreeMap<>(),
        deploys ? profile.env() : new TreeMap<>(),
        deploys && profile.base() == Profile.Base.NO_ENV,
        runs.mean(Profile.BASELINE),
        runs.mean(profile.name()),
        here.map(Standings::publishedLogGain).orElse(Double.NaN),
        here.map(st -> st.verdict().interval()).orElse(Interval.UNKNOWN),
        (int) runs.of(profile.name()).count());
  }

  private static SortedMap<String, String> axes(SweepState s, ConfigTag tag) {
    TreeMap<String, String> axes = new TreeMap<>();
    s.inventory().forEach(fact -> axes.put(fact.name(), fact.value()));
    axes.putAll(tag.overrides());
    axes.keySet().removeIf(name -> !name.matches("(dcn|ici)_\\w+_parallelism"));
    return axes;
  }

  /** Whether the profile changes what is trained and has not passed a run on real data. */
  boolean isHeldBack() {
    return realData == RealDataRun.AWAITED || realData == RealDataRun.FAILED;
  }

  /**
   * Empty where the sweep has no winner or the winner is held back: then there is no
   * recommendation.
   */
  Optional<Recipe> recipe() {
    return profile.equals(Profile.BASELINE) || isHeldBack()
        ? Optional.empty()
        : Optional.of(new Recipe(parallelism, configTag, axes, when, flags, env, restoresDefaults));
  }
}
