package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Retry;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A submission whose answer was lost, and for which no job can be found. */
class UnansweredTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final AttemptId FAILED = new TrialId(1).attempt(1);
  private static final AttemptId LOST = new TrialId(2).attempt(1);

  private SweepState state =
      after(
          SweepState.empty(),
          new Event.SweepStarted("s", 1, Specs.kernels(2)),
          new Event.WaveOpened("screen-1", List.of(trial(1, "p1"), trial(2, "p2"))),
          new Event.SubmissionIntended(FAILED, "one"),
          new Event.SubmissionIntended(LOST, "two"),
          new Event.SubmissionUnqueued(LOST));

  @Test
  void isSubmittedAgain() {
    assertThat(decided(NIGHTFALL))
        .containsExactly(new Decision.Submit(LOST, new Retry.Unqueued().said()));
    state = after(state, new Event.SubmissionRepeated(LOST));
    assertThat(decided(NIGHTFALL)).isEmpty();
    assertThat(Resubmission.of(state, state.attempt(LOST))).contains(new Retry.Unqueued());
    state = after(state, new Event.SubmissionUnqueued(LOST));
    assertThat(decided(NIGHTFALL)).hasSize(1);
    state = after(state, new Event.Submitted(LOST, new JobId("7")));
    assertThat(decided(NIGHTFALL)).isEmpty();
  }

  @Test
  void waitsWhileTheClusterGivesNoAnswer() {
    state = after(state, new Event.ClusterUnreachable("none"));
    assertThat(decided(NIGHTFALL)).isEmpty();
  }

  @Test
  void waitsWhileARemedyIsAtWorkOnTheNodes() {
    Remedy remedy = Specs.playbook().otherwise();
    state =
        after(
            state,
            new Event.AttemptJudged(
                FAILED,
                new Judgement.Failed(
                    new Diagnosis("node-fail", 1, List.of(), Statement.words(""), List.of()))),
            new Event.RemedyBegun(FAILED, "node-fail", remedy));
    assertThat(decided(NIGHTFALL)).isEmpty();
  }

  @Test
  void isGivenUpWhenNothingWantsItAnyMore() {
    assertGivenUp(state, NIGHTFALL.plus(Duration.ofHours(13)));
    SweepState dropped =
        after(
            state,
            new Event.ProfileDropped(
                "p2", Event.ProfileDropped.DropCause.SKIPPED, new Cause.SkippedByCommand()));
    assertGivenUp(dropped, NIGHTFALL);
    state =
        after(
            state,
            new Event.CommandAccepted(
                new Command.Pause(), new Command.Origin(Command.Origin.Door.CLI, "someone")));
    assertGivenUp(state, NIGHTFALL);
  }

  private static void assertGivenUp(SweepState s, Instant now) {
    assertThat(Conductor.decide(s, now))
        .containsExactly(
            new Decision.Cancel(LOST, CancelCause.NEVER_QUEUED, CancelCause.NEVER_QUEUED.said()));
  }

  private List<Decision> decided(Instant now) {
    return Conductor.decide(state, now).stream().filter(d -> d instanceof Decision.Submit).toList();
  }

  private static Trial trial(int number, String profile) {
    return new Trial(new TrialId(number), "screen-1", 1, Trial.Purpose.SCREEN, profile, "1MiB", 1);
  }

  private static SweepState after(SweepState from, Event... events) {
    SweepState s = from;
    for (Event event : events) {
      s = s.apply(new Entry(s.seq() + 1, NIGHTFALL, event));
    }
    return s;
  }
}
