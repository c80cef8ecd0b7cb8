package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Remedy;
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

/** Who is submitted again, as a table. */
@Tag("verdicts")
class ResubmissionTest {
  private static final TrialId TRIAL = new TrialId(1);
  private static final Diagnosis WHY =
      new Diagnosis("hang", 1, List.of(), Statement.words(""), List.of());

  /**
   * The columns: what the attempts count as, in their order ("-" is not judged yet); what was done
   * to the last one's job; how its remedy ended; whether a person has said "resume" since.
   */
  @ParameterizedTest(name = "{0}, {1}, remedy {2}, resumed {3} -> {4}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -             |           |              | false | false
          measured      |           |              | false | false
          done          |           |              | false | false
          duplicate     |           |              | false | true
          void          |           |              | false | true
          void void     |           |              | false | false
          void failed   | cancelled |              | false | true
          failed        |           |              | false | false
          failed        | cancelled |              | false | true
          failed        | given up  |              | false | false
          failed        |           | RESUBMIT     | false | true
          failed        | given up  | RESUBMIT     | false | true
          failed        |           | HALT         | false | false
          failed        |           | HALT         | true  | true
          failed        |           | FAIL_TRIAL   | false | false
          failed        |           | FAIL_TRIAL   | true  | false
          failed        |           | DROP_PROFILE | false | false
          failed        |           | SET_ASIDE    | false | false
          failed failed |           | RESUBMIT     | false | true
          """)
  void anotherAttemptFollows(
      String judged,
      @Nullable String done,
      Remedy.@Nullable Then ended,
      boolean resumed,
      boolean due) {
    Story story =
        new Story(Specs.kernels(2, Optional.empty()))
            .opened("screen-1", Trial.Purpose.SCREEN, "p1");
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
          .later(Duration.ofMinutes(1))
          .commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    }
    assertThat(Resubmission.isDue(story.state(), story.state().trial(TRIAL))).isEqualTo(due);
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
