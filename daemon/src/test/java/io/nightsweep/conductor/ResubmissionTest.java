package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Retry;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which trials are submitted again, as a table. */
@Tag("verdicts")
class ResubmissionTest {
  private static final TrialId TRIAL = new TrialId(1);
  private static final Diagnosis WHY =
      new Diagnosis("hang", 1, List.of(), Statement.words(""), List.of());

  /**
   * The columns: the verdicts of the attempts in order ("-" means not judged yet); what was done to
   * the last attempt's job; how its remedy ended; whether a person has said "resume" since; and why
   * another attempt follows ("-" if none does).
   */
  @ParameterizedTest(name = "{0}, {1}, remedy {2}, resumed {3} -> {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -             |           |              | false | -
          measured      |           |              | false | -
          done          |           |              | false | -
          duplicate     |           |              | false | Duplicated
          void          |           |              | false | RanOtherwise
          void void     |           |              | false | -
          void failed   | cancelled |              | false | CancelledBySweep
          failed        |           |              | false | -
          failed        | cancelled |              | false | CancelledBySweep
          failed        | given up  |              | false | -
          failed        |           | RESUBMIT     | false | Remedied
          failed        | given up  | RESUBMIT     | false | Remedied
          failed        |           | HALT         | false | -
          failed        |           | HALT         | true  | HaltResumed
          failed        |           | FAIL_TRIAL   | false | -
          failed        |           | FAIL_TRIAL   | true  | -
          failed        |           | DROP_PROFILE | false | -
          failed        |           | SET_ASIDE    | false | -
          failed failed |           | RESUBMIT     | false | Remedied
          """)
  void anotherAttemptFollows(
      String judged,
      @Nullable String done,
      Remedy.@Nullable Then ended,
      boolean resumed,
      String why) {
    Story story = new Story(Specs.kernels(2)).opened("screen-1", Trial.Purpose.SCREEN, "p1");
    int number = 0;
    for (String one : judged.split(" ")) {
      AttemptId attempt = TRIAL.attempt(++number);
      story.submitted(attempt);
      boolean isLast = number == judged.split(" ").length;
      if (isLast && "given up".equals(done)) {
        story.told(new Event.AttemptGivenUp(attempt, WHY));
      }
      if (isLast && done != null) {
        story.told(new Event.CancelRequested(attempt, CancelCause.SWEEP_HALTED));
      }
      judgement(one).ifPresent(j -> story.judged(attempt, j));
    }
    AttemptId last = TRIAL.attempt(number);
    if (ended != null) {
      Remedy remedy = Specs.playbook().otherwise();
      story.told(
          new Event.RemedyBegun(last, "hang", remedy),
          new Event.RemedyEnded(last, ended, Event.RemedyEnded.Why.STEPS_DONE));
    }
    if (resumed) {
      story
          .told(new Event.SweepHalted(new HaltCause.NodesFailed(1, "screen-1"), List.of()))
          .later(Duration.ofMinutes(1))
          .commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    }
    Optional<Retry> due = Resubmission.due(story.state(), story.state().trial(TRIAL));
    assertThat(due.map(r -> r.getClass().getSimpleName()).orElse("-")).isEqualTo(why);
    if (due.isPresent()) {
      story.told(new Event.SubmissionIntended(TRIAL.attempt(number + 1), "again"));
      assertThat(Resubmission.of(story.state(), story.state().attempt(TRIAL.attempt(number + 1))))
          .as("what is told of the attempt afterwards")
          .isEqualTo(due);
    }
  }

  private static Optional<Judgement> judgement(String word) {
    return switch (word) {
      case "measured" ->
          Optional.of(new Judgement.Measured(new Measurement(1, List.of(), 0, 0, new TreeMap<>())));
      case "done" -> Optional.of(new Judgement.Done(Statement.words("ended")));
      case "duplicate" -> Optional.of(new Judgement.Duplicate());
      case "void" -> Optional.of(new Judgement.Voided(Statement.words("another profile")));
      case "failed" -> Optional.of(new Judgement.Failed(WHY));
      default -> Optional.empty();
    };
  }
}
