package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.Causes;
import io.nightsweep.report.CountedRuns;
import io.nightsweep.report.CrossCheck;
import io.nightsweep.report.Figures;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;

/**
 * What each profile gains, which profiles left the sweep, and how the baseline's steps are spread.
 */
final class BoardRows {
  /** The band spans the middle nine tenths of the baseline's steps. */
  private static final double LOW = 0.05;

  private static final double HIGH = 0.95;

  private final Phrases t;

  BoardRows(Phrases t) {
    this.t = t;
  }

  /** One row for each profile measured on the primary config tag; gains in percent. */
  void leaderboard(Frame.Builder frame, SweepState s, Leaderboard board) {
    CountedRuns runs = CountedRuns.on(s, s.spec().primaryTag().name());
    Optional<String> winner = Standings.winner(s, board).map(Standing::profile);
    List<Standing> standings = board.standings();
    for (int i = 0; i < standings.size(); i++) {
      Standing st = standings.get(i);
      ObjectNode row = frame.row("board", st.profile());
      row.put("rank", i + 1)
          .put("settings", s.profile(st.profile()).describe())
          .put("runs", st.estimate().runs())
          .put("verdict", Figures.word(st.verdict()))
          .put("verdictText", ProfileVerdict.inShort(s, st, t))
          .put("winner", winner.filter(st.profile()::equals).isPresent())
          .put("mean", Figures.value(runs.mean(st.profile())))
          .put("isControl", st.profile().equals(Profile.BASELINE_NO_ENV));
      Numbers.put(row, "gain", Interval.percent(Standings.publishedLogGain(st)));
      Interval interval = st.verdict().interval();
      Numbers.put(row, "low", interval.lowPercent());
      Numbers.put(row, "high", interval.highPercent());
      // Without an interval, the row shows one standard error to either side of the estimate.
      double reach = st.estimate().standardError();
      Numbers.put(row, "guessLow", Interval.percent(st.estimate().logGain() - reach));
      Numbers.put(row, "guessHigh", Interval.percent(st.estimate().logGain() + reach));
    }
    frame
        .row("baseline", Profile.BASELINE)
        .put("mean", Figures.value(runs.mean(Profile.BASELINE)))
        .put("runs", board.noise().controls());
  }

  /**
   * The winner on the config tags other than the one it was chosen on, and the profiles checked
   * beside it.
   */
  void checks(Frame.Builder frame, SweepState s, Leaderboard board) {
    List<CrossCheck> checks = CrossCheck.of(s, Standings.winner(s, board));
    for (int i = 0; i < checks.size(); i++) {
      CrossCheck check = checks.get(i);
      ObjectNode row =
          frame
              .row("checks", "%03d".formatted(i))
              .put("profile", check.profile())
              .put("tag", check.tag())
              .put("baseline", Figures.value(check.baselineMean()))
              .put("mean", Figures.value(check.mean()))
              .put("runs", check.runs())
              .put("holds", t.text(check.holding()));
      Numbers.put(row, "gain", Interval.percent(check.logGain()));
      Numbers.put(row, "low", check.interval().lowPercent());
      Numbers.put(row, "high", check.interval().highPercent());
    }
  }

  void dropped(Frame.Builder frame, SweepState s) {
    s.dropped()
        .forEach(
            (profile, drop) ->
                frame
                    .row("dropped", profile)
                    .put("cause", t.word("cause", drop.cause()))
                    .put("why", Causes.text(drop.why(), t)));
  }

  /**
   * For each config tag: the middle nine tenths of the baseline's steady steps, and the first
   * steady step.
   */
  void bands(Frame.Builder frame, SweepState s) {
    for (ConfigTag tag : s.spec().configTags()) {
      List<Measurement> runs = CountedRuns.on(s, tag.name()).of(Profile.BASELINE).toList();
      double[] steps =
          runs.stream()
              .flatMap(Measurement::stepsInWindow)
              .mapToDouble(Measurement.MeasuredStep::value)
              .filter(Double::isFinite)
              .sorted()
              .toArray();
      if (steps.length > 0) {
        frame
            .row("bands", tag.name())
            .put("from", runs.stream().mapToInt(Measurement::windowFrom).max().orElse(0))
            .put("low", quantile(steps, LOW))
            .put("high", quantile(steps, HIGH));
      }
    }
  }

  private static double quantile(double[] sorted, double at) {
    return sorted[(int) Math.round(at * (sorted.length - 1))];
  }
}
