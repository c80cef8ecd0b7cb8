package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A submission whose answer was lost, and of which no job is to be found. */
class UnansweredTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final AttemptId FAILED = new TrialId(1).attempt(1);
  private static final AttemptId LOST = new TrialId(2).attempt(1);

  private SweepState state =
      after(
          SweepState.empty(),
          new Event.SweepStarted("s", 1, Specs.kernels(2, Optional.empty())),
          new Event.WaveOpened("screen-1", List.of(trial(1, "p1"), trial(2, "p2"))),
          new Event.SubmissionIntended(FAILED, "one"),
          new Event.SubmissionIntended(LOST, "two"));

  @Test
  void isSubmittedAgain() {
    assertThat(answer(NIGHTFALL)).isEqualTo(Unanswered.SUBMIT_AGAIN);
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
    assertThat(answer(NIGHTFALL)).isEqualTo(Unanswered.WAIT);
  }

  @Test
  void isGivenUpWhenNothingWantsItAnyMore() {
    assertThat(answer(NIGHTFALL.plus(Duration.ofHours(13)))).isEqualTo(Unanswered.GIVE_UP);
    SweepState dropped =
        after(
            state,
            new Event.ProfileDropped(
                "p2", Event.ProfileDropped.DropCause.SKIPPED, new Cause.SkippedByCommand()));
    assertThat(Conductor.unanswered(dropped, dropped.attempt(LOST), NIGHTFALL))
        .isEqualTo(Unanswered.GIVE_UP);
    state =
        after(
            state,
            new Event.CommandAccepted(
                new Command.Pause(), new Command.Origin(Command.Origin.Door.CLI, "someone")));
    assertThat(answer(NIGHTFALL)).isEqualTo(Unanswered.GIVE_UP);
  }

  private Unanswered answer(Instant now) {
    return Conductor.unanswered(state, state.attempt(LOST), now);
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
