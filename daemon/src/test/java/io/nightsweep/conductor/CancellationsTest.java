package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which jobs are cancelled, as a table, and when an outage halts. */
@Tag("verdicts")
class CancellationsTest {
  private static final AttemptId RUNS = new TrialId(1).attempt(1);
  private static final AttemptId WAITS = new TrialId(2).attempt(1);
  private static final AttemptId UNANSWERED = new TrialId(3).attempt(1);

  /**
   * The job of p1 runs, that of p2 waits, and nothing is known yet about that of p3. What happened,
   * in order, and the jobs that are cancelled then.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                      | -
          skip                         | t0001a1
          skip outage                  | -
          skip outage answer           | t0001a1
          skip cancelled               | -
          silent                       | t0001a1
          silent outage                | -
          halt                         | t0002a1
          halt outage                  | -
          halt outage answer           | t0002a1
          drain                        | t0002a1
          cancel                       | t0001a1 t0002a1
          cancel outage                | -
          cancel cancelled             | t0002a1
          """)
  void areCancelled(String happened, String expected) {
    Story story =
        new Story(Specs.kernels(6, 40))
            .opened("screen-1", Trial.Purpose.SCREEN, "p1", "p2", "p3")
            .submitted(RUNS)
            .told(new Event.AttemptStarted(RUNS, Story.NIGHTFALL, List.of("n1", "n2")))
            .submitted(WAITS)
            .told(new Event.SubmissionIntended(UNANSWERED, "job-three"));
    for (String one : happened.split(" ")) {
      happen(story, one);
    }
    Function<View, List<Decision>> stage =
        switch (story.state().phase()) {
          case Phase.Halted p -> Cancellations::onHalt;
          case Phase.Stopping p -> Cancellations::onStop;
          default ->
              view ->
                  Stream.concat(
                          Cancellations.ofGivenUp(view).stream(),
                          Cancellations.ofLostCauses(view).stream())
                      .toList();
        };
    String cancelled =
        story.decisions(stage).stream()
            .map(d -> ((Decision.Cancel) d).attempt().toString())
            .collect(Collectors.joining(" "));
    assertThat(cancelled.isEmpty() ? "-" : cancelled).isEqualTo(expected);
  }

  /** A person who resumes in an outage gives the controller the whole limit again. */
  @Test
  void theLimitOfAnOutageBeginsAnewWithTheResume() {
    Story story = new Story(Specs.kernels(6, 40)).told(new Event.ClusterUnreachable("refused"));
    assertThat(story.later(Duration.ofMinutes(14)).says(Outage::judge)).isEqualTo("-");
    assertThat(story.later(Duration.ofMinutes(1)).says(Outage::judge)).isEqualTo("SweepHalted");
    story
        .told(
            new Event.SweepHalted(
                new HaltCause.ControllerDown(Duration.ofMinutes(15), "refused"), List.of()))
        .commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    assertThat(story.later(Duration.ofMinutes(14)).says(Outage::judge)).isEqualTo("-");
    assertThat(story.later(Duration.ofMinutes(1)).says(Outage::judge)).isEqualTo("SweepHalted");
    // An outage that begins after the resume has its own beginning.
    story
        .told(new Event.ClusterReachable(Duration.ofMinutes(30)))
        .later(Duration.ofHours(1))
        .told(new Event.ClusterUnreachable("refused"));
    assertThat(story.later(Duration.ofMinutes(14)).says(Outage::judge)).isEqualTo("-");
  }

  /** A job that the stop cancelled did not fail, so its trial is dropped. */
  @ParameterizedTest(name = "cancelled {0}: {1}")
  @CsvSource({
    "true,  t0001 Dropped[why=SweepStopped[]]",
    "false, 't0001 Failed[failureClass=hang, detail=Words[text=as told]]'",
  })
  void theTrialOfAJobThatTheStopCancelledIsDropped(boolean cancelled, String expected) {
    Story story =
        new Story(Specs.kernels(6, 40))
            .opened("screen-1", Trial.Purpose.SCREEN, "p1")
            .submitted(RUNS);
    if (cancelled) {
      story.told(new Event.CancelRequested(RUNS, CancelCause.SWEEP_STOPPED));
    }
    JobEnd end =
        new JobEnd(
            cancelled ? JobEnd.State.CANCELLED : JobEnd.State.FAILED,
            1,
            Optional.of(Story.NIGHTFALL),
            Story.NIGHTFALL,
            JobEnd.Source.EXIT_RECORD);
    story.told(
        new Event.AttemptEnded(RUNS, end),
        new Event.AttemptJudged(
            RUNS,
            new Judgement.Failed(
                new Diagnosis("hang", 1, List.of(), Statement.words("as told"), List.of()))));
    assertThat(Story.words(Trials.endAllOpen(story.state()).getFirst())).isEqualTo(expected);
  }

  private static void happen(Story story, String word) {
    switch (word) {
      case "nothing" -> {}
      case "skip" ->
          story.told(
              new Event.ProfileDropped(
                  "p1", Event.ProfileDropped.DropCause.SKIPPED, new Cause.SkippedByCommand()));
      case "silent" ->
          story.told(
              new Event.AttemptGivenUp(
                  RUNS, new Diagnosis("hang", 1, List.of(), Statement.words("silent"), List.of())));
      case "cancelled" -> story.told(new Event.CancelRequested(RUNS, CancelCause.LOST_CAUSE));
      case "outage" -> story.told(new Event.ClusterUnreachable("refused"));
      case "answer" -> story.told(new Event.ClusterReachable(Duration.ofMinutes(1)));
      case "halt" ->
          story.told(new Event.SweepHalted(new HaltCause.DaemonError(1, "test"), List.of()));
      case "drain" -> story.commanded(new Command.Stop(Command.Stop.Mode.DRAIN));
      case "cancel" -> story.commanded(new Command.Stop(Command.Stop.Mode.CANCEL));
      default -> throw new IllegalArgumentException(word);
    }
  }
}
