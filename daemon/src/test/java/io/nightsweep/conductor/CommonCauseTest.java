package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.Then;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two candidates fail, then the baseline of the same wave, which halts the sweep. */
class CommonCauseTest {
  private static final String MISSING = "program-missing";
  private static final Command RESUME = new Command.Resume(Optional.empty(), Optional.empty());

  @Test
  void whatFailedOfWhatHaltedRunsAgainOnceTheSweepIsResumed() {
    Story story = halted(MISSING, false);
    assertThat(story.says(CommonCause::plan)).isEqualTo("-");
    story.later(Duration.ofHours(1)).commanded(RESUME);
    Event planned = Story.event(story.decisions(CommonCause::plan).getFirst());
    assertThat(((Event.TrialsPlanned) planned).trials().stream().map(Trial::profile))
        .containsExactly("p1", "p2");
    story.told(planned);
    assertThat(story.state().dropped()).isEmpty();
    assertThat(story.says(CommonCause::plan)).isEqualTo("-");
    lose(story.later(Duration.ofMinutes(1)), 5, "p1", MISSING);
    assertThat(story.state().isDropped("p1")).isTrue();
    assertThat(story.says(CommonCause::plan)).as("it failed once more").isEqualTo("-");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "the candidates failed otherwise, oom-gpu, false, ''",
    "a run was measured in between, program-missing, true, ''",
    "a person resumes without it, program-missing, false, p1"
  })
  void otherwiseNothingRunsAgain(String name, String failed, boolean measured, String without) {
    Story story = halted(failed, measured).later(Duration.ofHours(1));
    story.commanded(
        without.isEmpty() ? RESUME : new Command.Resume(Optional.empty(), Optional.of(without)));
    List<String> again =
        story.decisions(CommonCause::plan).stream()
            .flatMap(d -> ((Event.TrialsPlanned) Story.event(d)).trials().stream())
            .map(Trial::profile)
            .toList();
    assertThat(again).isEqualTo(without.isEmpty() ? List.of() : List.of("p2"));
  }

  private static Story halted(String failed, boolean measured) {
    Story story =
        new Story(Specs.kernels(6))
            .opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3", "baseline-deployed");
    lose(story, 1, "p1", failed);
    lose(story, 2, "p2", failed);
    if (measured) {
      AttemptId third = new TrialId(3).attempt(1);
      story
          .submitted(third)
          .later(Duration.ofMinutes(8))
          .judged(
              third, new Judgement.Measured(new Measurement(1, List.of(), 0, 0, new TreeMap<>())))
          .told(new Event.TrialClosed(third.trial(), new Disposition.Measured(third)));
    }
    AttemptId baseline = new TrialId(4).attempt(1);
    return story
        .submitted(baseline)
        .later(Duration.ofMinutes(1))
        .failed(baseline, MISSING)
        .told(
            new Event.RemedyBegun(baseline, MISSING, remedy(Then.SET_ASIDE)),
            new Event.RemedyEnded(baseline, Then.HALT, Event.RemedyEnded.Why.STEPS_DONE),
            new Event.SweepHalted(
                new HaltCause.Incurable(MISSING, Statement.words("train is missing"), List.of()),
                List.of()));
  }

  private static void lose(Story story, int trial, String profile, String failed) {
    AttemptId attempt = new TrialId(trial).attempt(1);
    story
        .submitted(attempt)
        .later(Duration.ofMinutes(1))
        .failed(attempt, failed)
        .told(
            new Event.RemedyBegun(attempt, failed, remedy(Then.SET_ASIDE)),
            new Event.RemedyEnded(attempt, Then.SET_ASIDE, Event.RemedyEnded.Why.STEPS_DONE),
            new Event.TrialClosed(
                attempt.trial(), new Disposition.Failed(failed, Statement.words("as told"))),
            new Event.ProfileDropped(
                profile, DropCause.FAILED, new Cause.FailedAs(failed, Statement.words("as told"))))
        .later(Duration.ofMinutes(1));
  }

  private static Remedy remedy(Then then) {
    return Remedy.of(then, 1, Remedy.RemedyScope.PROFILE, then);
  }
}
