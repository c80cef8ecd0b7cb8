package io.nightsweep.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Event.SweepFinished.SweepOutcome;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The result of a journal's events: the state on which every decision is based. */
@Tag("sweep")
class FoldTest {
  private static final Instant NIGHTFALL = Instant.parse("2026-01-01T22:00:00Z");
  private static final HaltCause HALTED = new HaltCause.DaemonError(3, "disk");
  private static final TrialId TRIAL = new TrialId(1);
  private static final AttemptId ATTEMPT = TRIAL.attempt(1);

  private final List<Entry> journal = new ArrayList<>();
  private Instant now = NIGHTFALL;

  FoldTest() {
    told(new Event.SweepStarted("s", 1, Specs.kernels(2, 10)));
  }

  @Test
  void anEventThatDoesNotFollowTheLastOneIsRefused() {
    assertThatThrownBy(() -> state().apply(new Entry(7, now, new Event.StorageRecovered())))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("event 7 does not follow event 1");
  }

  @Test
  void whatTheStateDoesNotKnowIsRefusedByName() {
    assertRefused(
        new Event.SweepStarted("s", 1, Specs.kernels(2, 10)), "a second start of sweep s");
    assertRefused(new Event.Submitted(ATTEMPT, new JobId("7")), "no trial t0001 in this sweep");
    assertRefused(new Event.WaveClosed("nightfall"), "no wave 'nightfall' in the plan");
    assertRefused(new Event.AxisChosen("fsdp"), "the plan has no axis 'fsdp'");
    assertRefused(new Event.TurnPassed("s2"), "the sweep shares no night");
    told(opened());
    assertRefused(opened(), "trial t0001 is planned twice");
    Trial twice = new Trial(new TrialId(2), "screen-1", 1, Trial.Purpose.SCREEN, "p1", "1MiB", 1);
    assertRefused(
        new Event.TrialsPlanned("screen-1", List.of(twice, twice)), "trial t0002 is planned twice");
    told(new Event.TrialClosed(TRIAL, new Disposition.Dropped(new Cause.Told("enough"))));
    assertRefused(
        new Event.TrialClosed(TRIAL, new Disposition.Dropped(new Cause.Told("enough"))),
        "trial t0001 is closed twice");
  }

  /** A crash may cut a journal anywhere: the rest is folded onto the earlier state. */
  @Test
  void foldingInTwoPartsIsFoldingAtOnce() {
    aJobThatRan();
    for (int cut = 0; cut <= journal.size(); cut++) {
      SweepState state = SweepState.fold(journal.subList(0, cut));
      for (Entry entry : journal.subList(cut, journal.size())) {
        state = state.apply(entry);
      }
      assertThat(state).isEqualTo(state());
    }
  }

  @Test
  void peopleMoveTheSweepBetweenItsPhases() {
    assertThat(state().phase()).isEqualTo(new Phase.Running());
    commanded(new Command.Pause());
    assertThat(state().phase()).isEqualTo(new Phase.Paused());
    commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    assertThat(state().phase()).isEqualTo(new Phase.Running());
    commanded(new Command.Stop(Command.Stop.Mode.DRAIN));
    assertThat(state().phase())
        .isEqualTo(new Phase.Stopping(Command.Stop.Mode.DRAIN, Optional.empty()));
    assertThat(state().commands()).hasSize(3);
  }

  @Test
  void aStoppedSweepKeepsWhatHadHaltedIt() {
    told(new Event.SweepHalted(HALTED, List.of("n2")));
    Phase.Halted halted = new Phase.Halted(2, NIGHTFALL, HALTED, List.of("n2"));
    assertThat(state().phase()).isEqualTo(halted);
    commanded(new Command.Stop(Command.Stop.Mode.CANCEL));
    assertThat(state().phase())
        .isEqualTo(new Phase.Stopping(Command.Stop.Mode.CANCEL, Optional.of(halted)));
    SweepEnding ending = new SweepEnding.StoppedByCommand(Command.Stop.Mode.CANCEL);
    told(new Event.SweepFinished(SweepOutcome.STOPPED, ending));
    assertThat(state().phase())
        .isEqualTo(new Phase.Finished(SweepOutcome.STOPPED, ending, Optional.of(halted)));
  }

  @Test
  void whatComesAfterTheEndDoesNotLengthenTheSweep() {
    later(Duration.ofHours(1));
    told(new Event.SweepFinished(SweepOutcome.NO_WINNER, new SweepEnding.NoneBetter()));
    later(Duration.ofHours(1));
    told(new Event.NoticeIssued("end", new Notice.Kickoff()));
    assertThat(state().lastEventAt()).isEqualTo(NIGHTFALL.plus(Duration.ofHours(1)));
    assertThat(state().notices()).containsKey("end");
  }

  @Test
  void aJobIsPaidForWhenItIsIntended() {
    told(opened(), new Event.SubmissionIntended(ATTEMPT, "s-t0001a1"));
    assertThat(state().jobsLeft()).contains(9);
    assertThat(state().inFlight()).hasSize(1);
    assertThat(state().attempt(ATTEMPT).job()).isEmpty();
    told(new Event.Submitted(ATTEMPT, new JobId("7")));
    assertThat(state().attempt(ATTEMPT).job()).contains(new JobId("7"));
  }

  @Test
  void whatTheClusterRefusedCostsNothing() {
    told(opened(), new Event.SubmissionIntended(ATTEMPT, "s-t0001a1"));
    told(new Event.SubmissionRefused(ATTEMPT, failure(KnownClasses.SUBMISSION_REFUSED)));
    assertThat(state().jobsLeft()).contains(10);
    assertThat(state().inFlight()).isEmpty();
  }

  @Test
  void anAttemptGathersWhatIsSeenOfItsJob() {
    aJobThatRan();
    AttemptState attempt = state().attempt(ATTEMPT);
    assertThat(attempt.startedAt()).contains(NIGHTFALL.plusSeconds(60));
    assertThat(attempt.nodes()).containsExactly("n1", "n2");
    assertThat(attempt.step()).isEqualTo(4);
    assertThat(attempt.stepsTotal()).isEqualTo(15);
    assertThat(attempt.lastProgressAt()).isEqualTo(NIGHTFALL.plusSeconds(180));
    assertThat(attempt.elapsed()).contains(Duration.ofMinutes(4));
    assertThat(attempt.isInFlight()).isFalse();
    assertThat(attempt.isFailedAs("oom-gpu")).isTrue();
    assertThat(state().nodeTime(now)).isEqualTo(Duration.ofMinutes(8));
  }

  @Test
  void aDoubtLastsFromItsFirstLookUntilTheJobIsSeen() {
    told(opened(), new Event.SubmissionIntended(ATTEMPT, "s-t0001a1"));
    told(new Event.AttemptDoubted(ATTEMPT, AttemptState.Doubt.Kind.UNKNOWN));
    later(Duration.ofMinutes(5));
    assertThat(state().attempt(ATTEMPT).doubt())
        .contains(new AttemptState.Doubt(AttemptState.Doubt.Kind.UNKNOWN, NIGHTFALL));
    told(new Event.AttemptSeen(ATTEMPT));
    assertThat(state().attempt(ATTEMPT).doubt()).isEmpty();
  }

  /**
   * A job that was given up has failed and is repaired; one that the sweep ended for its own
   * reasons is not.
   */
  @Test
  void whatTheSweepCancelledForItselfIsNoFailure() {
    assertThat(cancelled(CancelCause.LOST_CAUSE)).isTrue();
    assertThat(cancelled(CancelCause.SWEEP_STOPPED)).isTrue();
    assertThat(cancelled(CancelCause.GIVEN_UP)).isFalse();
    assertThat(cancelled(CancelCause.NEVER_QUEUED)).isFalse();
  }

  @Test
  void otherNodesBeginThePlanAnew() {
    aJobThatRan();
    told(
        new Event.TrialClosed(TRIAL, new Disposition.Dropped(new Cause.Told("enough"))),
        new Event.ProfileDropped(
            "p1", Event.ProfileDropped.DropCause.RACED_OUT, new Cause.Told("slower")),
        new Event.CellRepinned(List.of("n3", "n4")));
    assertThat(state().cell().nodes()).containsExactly("n3", "n4");
    assertThat(state().waves()).allMatch(WaveState::isPending);
    assertThat(state().countingTrials()).isEmpty();
    assertThat(state().trials()).hasSize(1);
    assertThat(state().isDropped("p1")).isFalse();
    assertThat(state().jobsLeft()).contains(9);
  }

  /** The copies of the state's records are written by hand: none may lose or swap a part. */
  @Test
  void anEventChangesItsPartAndNoOther() {
    aJobThatRan();
    assertChanges(new Event.NoticeIssued("n", new Notice.Kickoff()), "talk");
    assertChanges(new Event.InventoryTaken(List.of()));
    assertChanges(new Event.ClusterUnreachable("refused"), "known");
    assertChanges(
        new Event.ProfileAdded(Profile.of("other", Map.of(), Map.of(), Map.of())), "roster");
    assertChanges(new Event.WaveClosed("screen-1"), "schedule");
    assertChanges(new Event.AttemptProgressed(ATTEMPT, 5, 15), "schedule");
    assertChanges(new Event.SweepHalted(HALTED, List.of()), "phase");
    assertChanges(accepted(new Command.Pause()), "phase", "talk");
    assertChanges(
        accepted(new Command.SetBudget(Optional.of(5), Optional.empty(), Optional.empty())),
        "start",
        "talk");
    assertChanges(new Event.CellRepinned(List.of("n3", "n4")), "start", "schedule");

    assertChangesAttempt(new Event.AttemptProgressed(ATTEMPT, 5, 15), "run");
    assertChangesAttempt(new Event.AttemptStarted(ATTEMPT, now, List.of("n3")), "run");
    assertChangesAttempt(
        new Event.AttemptDoubted(ATTEMPT, AttemptState.Doubt.Kind.WITHOUT_NODES), "run");
    assertChangesAttempt(new Event.CancelRequested(ATTEMPT, CancelCause.LOST_CAUSE), "ending");
    assertChangesAttempt(new Event.AttemptGivenUp(ATTEMPT, failure("hang")), "ending");
    assertChangesAttempt(new Event.Submitted(ATTEMPT, new JobId("8")), "submission");
  }

  private void assertChanges(Event event, String... parts) {
    SweepState before = state();
    SweepState after = before.apply(new Entry(before.seq() + 1, now, event));
    assertThat(changed(before, after)).containsExactlyInAnyOrder(with("seq", parts));
  }

  private void assertChangesAttempt(Event event, String part) {
    SweepState after = state().apply(new Entry(state().seq() + 1, now, event));
    assertThat(changed(state().attempt(ATTEMPT), after.attempt(ATTEMPT))).containsExactly(part);
  }

  private static String[] with(String first, String... others) {
    return Stream.concat(Stream.of(first), Stream.of(others)).toArray(String[]::new);
  }

  /** The components in which two records differ. */
  private static List<String> changed(Record before, Record after) {
    return Stream.of(before.getClass().getRecordComponents())
        .filter(c -> !value(c, before).equals(value(c, after)))
        .map(RecordComponent::getName)
        .toList();
  }

  private static Object value(RecordComponent component, Record of) {
    try {
      component.getAccessor().setAccessible(true);
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(component.getName(), e);
    }
  }

  private boolean cancelled(CancelCause cause) {
    FoldTest story = new FoldTest();
    story.told(
        opened(),
        new Event.SubmissionIntended(ATTEMPT, "s-t0001a1"),
        new Event.CancelRequested(ATTEMPT, cause),
        new Event.AttemptEnded(ATTEMPT, end(JobEnd.State.CANCELLED, Optional.empty())));
    return story.state().attempt(ATTEMPT).isCancelled();
  }

  /** On two nodes, for four minutes, up to step 4. */
  private void aJobThatRan() {
    told(opened(), new Event.SubmissionIntended(ATTEMPT, "s-t0001a1"));
    told(new Event.Submitted(ATTEMPT, new JobId("7")));
    later(Duration.ofMinutes(1));
    told(new Event.AttemptStarted(ATTEMPT, now, List.of("n1", "n2")));
    Optional<Instant> began = Optional.of(now);
    later(Duration.ofMinutes(2));
    told(new Event.AttemptProgressed(ATTEMPT, 4, 15));
    later(Duration.ofMinutes(2));
    told(
        new Event.AttemptEnded(ATTEMPT, end(JobEnd.State.FAILED, began)),
        new Event.AttemptJudged(ATTEMPT, new Judgement.Failed(failure("oom-gpu"))));
  }

  private JobEnd end(JobEnd.State state, Optional<Instant> began) {
    return new JobEnd(state, 1, began, now, JobEnd.Source.ACCOUNTING);
  }

  private static Event opened() {
    return new Event.WaveOpened(
        "screen-1",
        List.of(new Trial(TRIAL, "screen-1", 1, Trial.Purpose.SCREEN, "p1", "1MiB", 1)));
  }

  private static Diagnosis failure(String failureClass) {
    return new Diagnosis(failureClass, 1, List.of(), Statement.words("as told"), List.of());
  }

  private void assertRefused(Event event, String message) {
    assertThatThrownBy(() -> state().apply(new Entry(state().seq() + 1, now, event)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(message);
  }

  private void commanded(Command command) {
    told(accepted(command));
  }

  private static Event accepted(Command command) {
    return new Event.CommandAccepted(command, new Command.Origin(Command.Origin.Door.CLI, "me"));
  }

  private void told(Event... events) {
    for (Event event : events) {
      journal.add(new Entry(journal.size() + 1L, now, event));
    }
  }

  private void later(Duration by) {
    now = now.plus(by);
  }

  private SweepState state() {
    return SweepState.fold(journal);
  }
}
