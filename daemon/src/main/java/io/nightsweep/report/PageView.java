package io.nightsweep.report;

import io.nightsweep.conductor.CrossChecks;
import io.nightsweep.conductor.RealData;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.workload.Deployment;
import io.nightsweep.workload.PlainDeployment;
import io.nightsweep.workload.WorkloadKind;
import io.nightsweep.workload.Workloads;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The data for all sections of a page.
 *
 * @param runs on the primary config tag
 * @param others cells of the same model that earlier sweeps measured
 */
record PageView(
    SweepState s,
    Leaderboard board,
    CountedRuns runs,
    Optional<Standing> winner,
    List<OtherCell> others,
    Phrases t) {
  static PageView of(SweepState s, Phrases language, List<OtherCell> others) {
    Leaderboard board = Standings.board(s);
    return new PageView(
        s,
        board,
        CountedRuns.on(s, s.spec().primaryTag().name()),
        Standings.winner(s, board),
        List.copyOf(others),
        language);
  }

  boolean isWinner(Standing standing) {
    return winner.map(w -> w.profile().equals(standing.profile())).orElse(false);
  }

  /** The winner's run on real data; empty where there is no winner. */
  Optional<RealData> realData() {
    return winner.map(w -> RealData.of(s, s.profile(w.profile())));
  }

  /** Whether there is a winner that must not be deployed before a run on real data. */
  boolean isHeldBack() {
    return realData().filter(r -> !r.deploys()).isPresent();
  }

  /** What the run on real data means for the deployment; empty where no such run is needed. */
  Optional<String> onRealData(RealData realData) {
    String settings = Markdown.code(String.join(", ", realData.moved()));
    return switch (realData.run()) {
      case NOT_NEEDED -> Optional.empty();
      case AWAITED -> Optional.of(t.text("moving.awaited", settings));
      case PASSED -> Optional.of(t.text("moving.passed", settings));
      case FAILED -> Optional.of(t.text("moving.failed", settings));
    };
  }

  /**
   * Whether the winner may be deployed on the tag: its loss there is known to be within the limit.
   */
  static boolean holds(SweepState s, String profile, ConfigTag tag) {
    return CrossChecks.holding(s, profile, tag) == CrossChecks.Holding.HOLDS;
  }

  double mean(String profile) {
    return runs.mean(profile);
  }

  /** Mean seconds of a step inside the window; NaN where no run has steps. */
  double stepSeconds(String profile) {
    return runs.of(profile)
        .mapToDouble(
            m ->
                m.stepsInWindow()
                    .mapToDouble(Measurement.MeasuredStep::seconds)
                    .average()
                    .orElse(Double.NaN))
        .average()
        .orElse(Double.NaN);
  }

  Stream<TrialState> measured() {
    return s.trials().values().stream()
        .filter(tr -> tr.measurement().isPresent() && !tr.trial().purpose().isControl());
  }

  /** The deployment of the sweep's workload; a plain one if this build does not know the kind. */
  static Deployment deployment(SweepState s) {
    return Workloads.find(s.spec().workload())
        .map(WorkloadKind::deployment)
        .orElseGet(PlainDeployment::new);
  }

  /** The deployed environment file of the model, where the workload has one. */
  Optional<String> environmentFile() {
    return deployment(s).file(s.cell().model(), s.cell().parallelism());
  }

  String interval(Interval interval) {
    return Figures.interval(interval, t);
  }

  /** An interval as part of a sentence, with words instead of a dash for an unknown one. */
  String inASentence(Interval interval) {
    return Figures.inASentence(interval, t);
  }

  /** A profile's verdict in words, with a note if the profile changes what is trained. */
  String phrase(Standing st) {
    return Figures.phrase(s, st, t);
  }

  /** The heading for what profiles set: flags if there are any, else settings. */
  String settings() {
    boolean areFlags = s.profiles().values().stream().anyMatch(p -> !p.flags().isEmpty());
    return t.text(areFlags ? "flags" : "settings");
  }

  static String percent(double fraction) {
    return String.format(Locale.ROOT, "%.2f", 100 * fraction);
  }
}
