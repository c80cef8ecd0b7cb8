package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The report's figures in short form, for messages and terminals. */
public final class Brief {
  private Brief() {}

  /**
   * A line of the leaderboard.
   *
   * @param mean steady state over all its runs, with its unit
   * @param gain over the baseline; {@code "-"} where unknown, as for all texts here
   */
  public record BriefRow(
      String profile,
      String settings,
      String mean,
      String gain,
      String interval,
      int runs,
      String verdict) {}

  public record TitledChart(String title, ByteBuffer png) {}

  /** The deployed baseline's mean, with its unit. */
  public static String baseline(SweepState s) {
    return mean(s, Profile.BASELINE);
  }

  /** All candidates that were measured on the primary config tag, best first. */
  public static List<BriefRow> leaderboard(SweepState s) {
    Leaderboard board = Standings.board(s);
    return board.standings().stream()
        .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
        .sorted(Comparator.comparingDouble(Standing::posteriorLogGain).reversed())
        .map(st -> row(s, st))
        .toList();
  }

  private static BriefRow row(SweepState s, Standing st) {
    return new BriefRow(
        st.profile(),
        s.profile(st.profile()).describe(),
        mean(s, st.profile()),
        Figures.percent(Standings.publishedLogGain(st)),
        Figures.interval(st.verdict().interval(), Phrases.EN),
        st.estimate().runs(),
        PageView.of(s, Phrases.EN, List.of()).phrase(st));
  }

  /** Names of the profiles with at least one measurement, controls left out. */
  public static List<String> tested(SweepState s) {
    return profiles(
        s.countingTrials()
            .filter(t -> t.measurement().isPresent() && !t.trial().purpose().isControl()));
  }

  /** Names of the profiles with trials that have not ended, controls left out. */
  public static List<String> pending(SweepState s) {
    return profiles(
        s.trials().values().stream()
            .filter(TrialState::isOpen)
            .filter(t -> !t.trial().purpose().isControl()));
  }

  private static List<String> profiles(Stream<TrialState> trials) {
    return trials.map(t -> t.trial().profile()).distinct().toList();
  }

  public static List<TitledChart> charts(SweepState s) throws IOException {
    return Charts.of(s, Phrases.EN).stream().map(c -> new TitledChart(c.title(), c.png())).toList();
  }

  /** The report's page in UTF-8; it refers to its charts by name. */
  public static ByteBuffer page(SweepState s) throws IOException {
    return ByteBuffer.wrap(
        TuningReport.of(s, Charts.of(s, Phrases.EN)).getBytes(StandardCharsets.UTF_8));
  }

  private static String mean(SweepState s, String profile) {
    double mean = CountedRuns.on(s, s.spec().primaryTag().name()).mean(profile);
    return Double.isFinite(mean) ? Figures.value(mean) + " " + s.spec().metric().unit() : "-";
  }
}
