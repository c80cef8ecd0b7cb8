package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.SweepState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** If a run counts although its job failed after the last step, every report of the run says so. */
@Tag("guard")
class ExitedRunsTest {
  private static final SweepState NIGHT = ReportTest.NIGHT.state();
  private static final AttemptId RUN =
      NIGHT.attempts().filter(a -> a.measurement().isPresent()).toList().getLast().id();
  private static final String PROFILE = NIGHT.trial(RUN.trial()).trial().profile();

  @Test
  void theExitCodeStandsInBothReportsAndInExplain() {
    SweepState s = ended(3);

    assertThat(ReportTexts.english(s))
        .contains("they are flagged, and still counted (1): " + RUN + " `" + PROFILE + "` 3");
    assertThat(ReportTexts.chinese(s)).contains("（1）：" + RUN + " `" + PROFILE + "` 3");
    assertThat(ProfileVerdict.lines(s, PROFILE))
        .contains(
            "flagged   " + RUN + " ended with exit code 3 after its last step; it still counts");
  }

  @Test
  void aGoodEndIsNotTold() {
    assertThat(ProfileVerdict.lines(ended(0), PROFILE))
        .noneMatch(line -> line.startsWith("flagged"));
  }

  /** The night's own journal with one job that ended with this exit code. */
  private static SweepState ended(int exitCode) {
    return SweepState.fold(
        ReportTest.NIGHT.entries().stream()
            .map(
                e ->
                    e.event() instanceof Event.AttemptEnded ended && ended.attempt().equals(RUN)
                        ? new Entry(
                            e.seq(),
                            e.at(),
                            new Event.AttemptEnded(RUN, with(ended.end(), exitCode)))
                        : e)
            .toList());
  }

  private static JobEnd with(JobEnd end, int exitCode) {
    return new JobEnd(
        exitCode == 0 ? JobEnd.State.COMPLETED : JobEnd.State.FAILED,
        exitCode,
        end.startedAt(),
        end.endedAt(),
        end.source());
  }
}
