package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Submission;
import io.nightsweep.conductor.Conductor;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.report.Coverage;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Question;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Invariants of every decision and of every event, checked as they occur. */
final class Invariants {
  /** A conductor that makes more decisions than this without time passing is in an endless loop. */
  private static final int MOST_DECISIONS_AT_ONCE = 300;

  private final Deque<Decision> expected = new ArrayDeque<>();
  private final Set<TrialId> closed = new HashSet<>();
  private final Map<String, Long> confirmedFrom = new HashMap<>();

  /** Two attempts may begin at the same instant, so their times alone do not order them. */
  private final Map<AttemptId, Long> intendedAs = new HashMap<>();

  private SweepState state = SweepState.empty();
  private int sinceTimePassed;
  private long steps;

  /** Calls of {@code decide} that were checked. */
  long steps() {
    return steps;
  }

  SweepState state() {
    return state;
  }

  void timePasses() {
    sinceTimePassed = 0;
    expected.clear();
  }

  /** The daemon died: its pending actions are void. */
  void crashed() {
    expected.clear();
  }

  /** Called before a decision is carried out. */
  void decided(Instant at, Decision decision) {
    if (expected.isEmpty()) {
      // Decided anew without the engine's memo: each decision below must equal the engine's own.
      expected.addAll(Conductor.decide(state, at));
      steps++;
    }
    assertThat(expected.pollFirst())
        .as("decide is deterministic and depends on state and time alone")
        .isEqualTo(decision);
    sinceTimePassed++;
    assertThat(sinceTimePassed)
        .as("no decision is repeated for ever")
        .isLessThan(MOST_DECISIONS_AT_ONCE);
    switch (decision) {
      case Decision.Append d -> {}
      case Decision.Submit d -> maySubmit(d, at);
      case Decision.Cancel d ->
          assertThat(state.attempt(d.attempt()).cancelCause())
              .as("a job is cancelled once")
              .isEmpty();
      case Decision.TakeRemedyStep d -> mayTakeStep(d);
    }
  }

  private void maySubmit(Decision.Submit d, Instant at) {
    assertThat(state.phase())
        .as("no submission while paused, halted or stopping")
        .isInstanceOf(Phase.Running.class);
    assertThat(remedyIsAtWork()).as("no submission while a remedy is at work").isFalse();
    assertThat(state.clusterOutage()).as("no submission during an outage").isEmpty();
    state
        .spec()
        .budget()
        .jobs()
        // An attempt that is submitted again has queued no job so far.
        .filter(jobs -> state.trial(d.attempt()).nextAttempt().equals(d.attempt()))
        .ifPresent(
            jobs ->
                assertThat(state.jobsTaken())
                    .as("the budget of jobs is never exceeded")
                    .isLessThan(jobs));
    state
        .deadline()
        .ifPresent(
            end -> assertThat(at).as("nothing is submitted after the deadline").isBefore(end));
  }

  private boolean remedyIsAtWork() {
    return state.open().values().stream()
        .flatMap(t -> t.lastAttempt().stream())
        .flatMap(a -> a.remedy().stream())
        .anyMatch(r -> r.ended().isEmpty());
  }

  private void mayTakeStep(Decision.TakeRemedyStep d) {
    AttemptState.RemedyState remedy = state.attempt(d.attempt()).remedy().orElseThrow();
    Remedy.RemedyStep step = remedy.remedy().steps().get(d.index());
    long taken = remedy.stepsDone().stream().filter(s -> s.index() == d.index()).count();
    assertThat(taken).as("a step is tried no more often than it may be").isLessThan(step.tries());
    if (step.approval().isPresent()) {
      assertThat(
              Objects.requireNonNull(state.questions().get(d.attempt() + "-" + d.index())).answer())
          .as("a step that needs approval has it")
          .get()
          .matches(Question.GivenAnswer::yes);
    }
  }

  /** Called by the cluster when a job is about to be queued. */
  void submitted(Submission submission, long live) {
    assertThat(live).as("never more than one job in flight for an attempt").isZero();
    assertThat(submission.nodes())
        .as("every submission is on the pinned nodelist")
        .isEqualTo(state.cell().nodes());
    assertThat(state.phase())
        .as("no submission while paused, halted or stopping")
        .isInstanceOf(Phase.Running.class);
    assertThat(remedyIsAtWork()).as("no submission while a remedy is at work").isFalse();
  }

  void happened(Entry entry) {
    SweepState before = state;
    state = state.apply(entry);
    switch (entry.event()) {
      case Event.TrialClosed e ->
          assertThat(closed.add(e.trial())).as("one disposition per trial").isTrue();
      case Event.WaveOpened e -> blocksHoldControls(e.trials());
      case Event.TrialsPlanned e -> blocksHoldControls(e.trials());
      case Event.ProfileDropped e ->
          assertThat(e.profile()).as("a baseline is never dropped").isNotEqualTo(Profile.BASELINE);
      case Event.SubmissionIntended e -> {
        assertThat(before.trial(e.attempt()).attempts())
            .as("an attempt begins when the one before it is judged")
            .allMatch(a -> a.judgement().isPresent());
        isWanted(before, before.trialOf(e.attempt()));
        intendedAs.put(e.attempt(), entry.seq());
      }
      case Event.ConfirmationPlanned e -> confirmedFrom.putIfAbsent(e.profile(), entry.seq());
      case Event.CellRepinned e -> confirmedFrom.clear();
      case Event.RemedyEnded e -> limitHolds(e);
      case Event.SweepFinished e -> finished(e);
      default -> {}
    }
    assertThat(Coverage.of(state).open()).as("coverage adds up").isEqualTo(state.open().size());
  }

  /** Checks that a confirmation's control belongs to a profile. */
  private static void isWanted(SweepState before, Trial trial) {
    if (trial.purpose() == Purpose.CONFIRM_CONTROL) {
      assertThat(
              before.trials().values().stream()
                  .map(TrialState::trial)
                  .filter(t -> t.block() == trial.block() && t.purpose() == Purpose.CONFIRM))
          .as("no control runs for a profile that left the sweep")
          .anyMatch(t -> !before.isDropped(t.profile()));
    }
  }

  private void blocksHoldControls(List<Trial> trials) {
    Map<Integer, Set<Purpose>> blocks =
        trials.stream()
            .filter(t -> t.purpose().measures() && t.purpose() != Purpose.VALIDATE)
            .collect(
                Collectors.groupingBy(
                    Trial::block, Collectors.mapping(Trial::purpose, Collectors.toSet())));
    assertThat(blocks.values())
        .as("a control in each block")
        .allMatch(purposes -> purposes.stream().anyMatch(Purpose::isControl));
  }

  /** Recomputed from the attempts, without the conductor's own arithmetic. */
  private void limitHolds(Event.RemedyEnded e) {
    AttemptState a = state.attempt(e.attempt());
    Remedy remedy = a.remedy().orElseThrow().remedy();
    if (e.then() != Remedy.Then.RESUBMIT || remedy.then() != Remedy.Then.RESUBMIT) {
      return;
    }
    String profile = state.trialOf(a.id()).profile();
    Instant resumed =
        state.commands().stream()
            .filter(c -> c.command() instanceof Command.Resume)
            .map(SweepState.CommandRecord::at)
            .reduce(Instant.MIN, (first, second) -> second);
    long resubmitted =
        state.trials().values().stream()
            .filter(
                t ->
                    switch (remedy.scope()) {
                      case TRIAL -> t.trial().id().equals(a.id().trial());
                      case PROFILE -> t.trial().profile().equals(profile);
                      case SWEEP -> true;
                    })
            .flatMap(t -> t.attempts().stream())
            .filter(o -> o.intendedAt().isAfter(resumed) || o.id().equals(a.id()))
            .filter(o -> !remedy.consecutive() || isAfterLastSuccess(o, remedy.scope(), a))
            .flatMap(o -> o.remedy().stream())
            .filter(r -> r.failureClass().equals(a.remedy().orElseThrow().failureClass()))
            .filter(r -> r.ended().equals(Optional.of(Remedy.Then.RESUBMIT)))
            .count();
    assertThat(resubmitted).as("remedy limits are held").isLessThanOrEqualTo(remedy.limit());
  }

  private boolean isAfterLastSuccess(AttemptState o, Remedy.RemedyScope scope, AttemptState a) {
    String profile = state.trialOf(a.id()).profile();
    return state.trials().values().stream()
        .filter(
            t ->
                switch (scope) {
                  case TRIAL -> t.trial().id().equals(a.id().trial());
                  case PROFILE -> t.trial().profile().equals(profile);
                  case SWEEP -> true;
                })
        .flatMap(t -> t.attempts().stream())
        .filter(s -> s.judgement().filter(j -> j instanceof Judgement.Measured).isPresent())
        .noneMatch(s -> intended(s) > intended(o));
  }

  private long intended(AttemptState a) {
    return Objects.requireNonNull(intendedAs.get(a.id()));
  }

  private void finished(Event.SweepFinished e) {
    assertThat(state.open()).as("every trial has its disposition").isEmpty();
    if (e.outcome() != Event.SweepFinished.SweepOutcome.WINNER) {
      return;
    }
    Standing winner = Standings.winner(state).orElseThrow();
    int planned =
        state.confirmations().stream()
            .filter(c -> c.profile().equals(winner.profile()))
            .mapToInt(Event.ConfirmationPlanned::runsPerArm)
            .min()
            .orElse(Integer.MAX_VALUE);
    List<TrialState> fresh =
        state
            .countingTrials()
            .filter(t -> t.trial().purpose() == Purpose.CONFIRM && t.measurement().isPresent())
            .filter(t -> t.trial().profile().equals(winner.profile()))
            .toList();
    assertThat(confirmedFrom).as("a winner has a plan").containsKey(winner.profile());
    assertThat(fresh.size())
        .as("a winner only after fresh confirmation runs")
        .isGreaterThanOrEqualTo(planned);
  }
}
