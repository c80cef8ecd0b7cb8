package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** "More than 10 % decay within a run is flagged": at each place that reports the run. */
@Tag("xla")
class DecayingRunsTest {
  private static final SweepState NIGHT = ReportTest.NIGHT.state();
  private static final AttemptId RUN =
      NIGHT.attempts().filter(a -> a.measurement().isPresent()).toList().getLast().id();
  private static final String PROFILE = NIGHT.trial(RUN.trial()).trial().profile();

  @Test
  void aRunThatSlowsByMoreThanATenthIsFlaggedInBothReportsAndByExplain() {
    SweepState s = with(0.142);

    assertThat(ReportTexts.english(s))
        .contains(
            "- Runs that slowed by more than 10 % within their own window; they are flagged, and"
                + " still counted"
                + " (1): "
                + RUN
                + " `"
                + PROFILE
                + "` 14.2 %");
    assertThat(ReportTexts.chinese(s)).contains("（1）：" + RUN + " `" + PROFILE + "` 14.2 %");
    assertThat(ProfileVerdict.lines(s, PROFILE))
        .contains("flagged   " + RUN + " slowed by 14.2 % within its window; it still counts");
  }

  @Test
  void aTenthIsWithinWhatRunsDo() {
    SweepState s = with(0.1);

    assertThat(Remarks.of(s, Phrases.EN, UnaryOperator.identity()))
        .noneMatch(remark -> remark.contains("slowed"));
    assertThat(ProfileVerdict.lines(s, PROFILE)).noneMatch(line -> line.startsWith("flagged"));
  }

  /** The night's own journal with one run that slowed down by this share. */
  private static SweepState with(double decay) {
    List<Entry> entries =
        ReportTest.NIGHT.entries().stream()
            .map(e -> e.event() instanceof Event.AttemptJudged j ? slowed(e, j, decay) : e)
            .toList();
    return SweepState.fold(entries);
  }

  private static Entry slowed(Entry entry, Event.AttemptJudged judged, double decay) {
    if (!(judged.judgement() instanceof Judgement.Measured measured)) {
      return entry;
    }
    Measurement m = measured.measurement();
    TreeMap<String, Double> extras = new TreeMap<>(m.extras());
    // If the kernels' metric is a time, it grows as a run slows down.
    double sign = NIGHT.spec().metric().better().name().equals("HIGHER") ? 1 : -1;
    extras.put(Measurement.DECAY, judged.attempt().equals(RUN) ? sign * decay : 0.0);
    return new Entry(
        entry.seq(),
        entry.at(),
        new Event.AttemptJudged(
            judged.attempt(),
            new Judgement.Measured(
                new Measurement(m.value(), m.steps(), m.windowFrom(), m.windowTo(), extras))));
  }
}
