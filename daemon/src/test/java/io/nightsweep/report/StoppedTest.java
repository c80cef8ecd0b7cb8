package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the texts say about a sweep that a person ended. */
@Tag("people")
class StoppedTest {
  private static final Command STOP = new Command.Stop(Command.Stop.Mode.DRAIN);

  /** A night with mostly failing jobs that a person stops at its first halt. */
  private static final SweepState STOPPED =
      new Night(
              Specs.kernels(6),
              Specs.surface(0.03, 0.005),
              Faults.none().with(Faults.Kind.JOB_ENDS_ODDLY, 0.7),
              Duration.ofMinutes(8),
              3)
          .told(s -> s.phase() instanceof Phase.Halted ? Optional.of(STOP) : Optional.empty())
          .run()
          .state();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          DRAIN  | A person ended the sweep early; the jobs that were running could finish. | 先跑完
          CANCEL | A person ended the sweep early; the jobs that were running were cancelled. | 已取消
          """)
  void whatBecameOfItsJobsIsASentence(Command.Stop.Mode mode, String english, String chinese) {
    SweepEnding ending = new SweepEnding.StoppedByCommand(mode);
    assertThat(Sentences.of(ending, Phrases.EN)).isEqualTo(english);
    assertThat(Sentences.of(ending, Phrases.ZH)).contains(chinese);
  }

  @Test
  void whatHadHaltedItStandsBesideItsEnd() {
    assertThat(STOPPED.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(Sentences.of((Phase.Finished) STOPPED.phase(), Phrases.EN))
        .startsWith("A person ended the sweep early")
        .contains(" It had halted: ");
    assertThat(TuningReport.of(STOPPED, List.of()))
        .contains("**Preliminary: people ended the sweep", "It had halted: ");
  }

  @Test
  void aJobThatFailedBeforeIsCountedAsAFailure() {
    Coverage coverage = Coverage.of(STOPPED);
    assertThat(coverage.failed()).isPositive();
    assertThat(coverage.stopped()).isEqualTo(coverage.dropped());
    assertThat(TuningReport.of(STOPPED, List.of()))
        .contains(", failed: ")
        .doesNotContain(Phrases.EN.text("negatives.none"));
  }
}
