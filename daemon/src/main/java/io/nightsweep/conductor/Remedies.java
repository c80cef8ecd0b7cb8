package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Playbook;
import io.nightsweep.sweep.QuestionAbout;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.Remedy.RemedyStep;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Walks a failed attempt through its class's remedy, one journaled step at a time. */
final class Remedies {
  /** Looks for a hardware fault, which ends the night regardless of the remedy's limit. */
  private static final String CHECK_DMESG = "check-dmesg";

  /**
   * Most characters of a failed step's output in a halt's cause; the journal holds the full output.
   */
  private static final int MOST_SAID = 600;

  /**
   * A global outage ends by itself: the remedy waits a little first, then longer, and tells people
   * in time.
   */
  private static final Duration FIRST_WAIT = Duration.ofMinutes(5);

  private static final Duration LATER_WAIT = Duration.ofHours(1);
  private static final Duration TELL_AFTER = Duration.ofHours(4);

  /** People are not told about a node that returns sooner. */
  private static final Duration TELL_OF_NODES_AFTER = Duration.ofMinutes(1);

  private Remedies() {}

  static List<Decision> next(
      SweepState s, TrialState t, AttemptState a, Diagnosis diagnosis, Instant now) {
    if (a.remedy().isEmpty()) {
      Playbook playbook = s.spec().playbook();
      return Decision.append(
          new Event.RemedyBegun(a.id(), diagnosis.failureClass(), playbook.remedyFor(diagnosis)),
          Statement.phrase(because(playbook, diagnosis), diagnosis.failureClass()));
    }
    AttemptState.RemedyState state = a.remedy().get();
    if (state.ended().isPresent()) {
      return follow(s, t, diagnosis, state.ended().get());
    }
    if (state.running().isPresent()) {
      return whileRunning(s, a, diagnosis, state, state.running().get(), now);
    }
    Optional<Remedy.Then> failed = failedStep(state);
    if (failed.isPresent()) {
      return Decision.append(
          new Event.RemedyEnded(
              a.id(),
              RemedyLimits.bounded(s, t, failed.get()),
              Event.RemedyEnded.Why.A_STEP_FAILED),
          Statement.phrase("because-step-failed"));
    }
    if (RemedyLimits.isBeyondLimit(s, t, state)) {
      OptionalInt check = hardwareCheck(state);
      if (check.isPresent()) {
        return step(s, t, a, diagnosis, state, check.getAsInt(), now);
      }
      return Decision.append(
          new Event.RemedyEnded(
              a.id(),
              RemedyLimits.bounded(s, t, RemedyLimits.afterLimit(s, t, state)),
              Event.RemedyEnded.Why.LIMIT_REACHED),
          Statement.phrase("because-remedy-tried", state.failureClass(), state.remedy().limit()));
    }
    int index = nextStep(state);
    if (index == state.remedy().steps().size()) {
      return Decision.append(
          new Event.RemedyEnded(
              a.id(),
              RemedyLimits.bounded(s, t, state.remedy().then()),
              Event.RemedyEnded.Why.STEPS_DONE),
          Statement.phrase("because-steps-done"));
    }
    return step(s, t, a, diagnosis, state, index, now);
  }

  private static String because(Playbook playbook, Diagnosis diagnosis) {
    return !playbook.isHeldBack(diagnosis)
        ? "because-failed-as"
        : playbook.remedyFor(diagnosis.failureClass()).mayCostTheNight()
            ? "because-likely-failed-as"
            : "because-likely-dropped-as";
  }

  /** Tells people once about a wait for nodes, since it may take long. */
  private static List<Decision> whileRunning(
      SweepState s,
      AttemptState a,
      Diagnosis diagnosis,
      AttemptState.RemedyState state,
      AttemptState.StepUnderWay running,
      Instant now) {
    RemedyStep step = state.step(running.index());
    String key = "nodes:" + a.id() + "-" + running.index();
    boolean isDue =
        step.action().equals(RemedyStep.WAIT_FOR_NODES)
            && !now.isBefore(running.since().plus(step.duration("tell", TELL_OF_NODES_AFTER)));
    return isDue && !s.notices().containsKey(key)
        ? Decision.append(
            new Event.NoticeIssued(
                key,
                new Notice.Incident(
                    new Occurrence.NodesAwaited(
                        state.failureClass(), diagnosis.detail(), step.timeout()))),
            Statement.phrase("because-nodes-away"))
        : List.of();
  }

  /** Whether a remedy is at work, so that nothing else should be sent to the same nodes. */
  static boolean isAnyUnderWay(SweepState s) {
    return underWay(s).findAny().isPresent();
  }

  /** Whether a remedy step is still in progress; it goes on while the sweep is paused. */
  static boolean isAnyStepUnderWay(SweepState s) {
    return underWay(s).anyMatch(r -> r.running().isPresent());
  }

  private static Stream<AttemptState.RemedyState> underWay(SweepState s) {
    return s.open().values().stream()
        .flatMap(t -> t.lastAttempt().stream())
        .flatMap(a -> a.remedy().stream())
        .filter(r -> r.ended().isEmpty());
  }

  private static List<Decision> step(
      SweepState s,
      TrialState t,
      AttemptState a,
      Diagnosis diagnosis,
      AttemptState.RemedyState state,
      int index,
      Instant now) {
    RemedyStep step = state.step(index);
    if (step.action().equals(RemedyStep.WAIT)) {
      return now.isBefore(restedSince(state).plus(step.timeout()))
          ? List.of()
          : Decision.append(
              waited(a, index, step.timeout()), Statement.phrase("because-wait-over"));
    }
    if (step.action().equals(RemedyStep.WAIT_FOR_CHECKOUT)) {
      return waitForCheckout(s, t, a, state, index, now);
    }
    if (step.action().equals(RemedyStep.DROP_FLAG)) {
      return Amendments.withoutFlags(s.profile(t.trial().profile()), a, diagnosis, index);
    }
    if (step.action().equals(RemedyStep.PERTURB_FLAGS)) {
      return Amendments.perturbed(s.profile(t.trial().profile()), a, index);
    }
    // In a shared night, another sweep uses the nodes until this one has its turn.
    if (!Trials.isRunning(s) || !Turns.hasTurn(s)) {
      return List.of();
    }
    Decision take =
        new Decision.TakeRemedyStep(
            a.id(),
            index,
            Statement.phrase("because-step-of", step.action(), state.failureClass()));
    return step.approval()
        .map(approval -> approved(s, a, state, index, approval, take))
        .orElseGet(() -> List.of(take));
  }

  private static List<Decision> approved(
      SweepState s,
      AttemptState a,
      AttemptState.RemedyState state,
      int index,
      Remedy.Approval approval,
      Decision take) {
    Questions.AnswerSoFar reply =
        Questions.ask(
            s,
            a.id() + "-" + index,
            new QuestionAbout.RemedyStep(state.step(index).action(), a.id(), state.failureClass()),
            approval.patience(),
            approval.unanswered(),
            Statement.phrase("because-needs-approval"));
    return switch (reply) {
      case Questions.AnswerSoFar.Open open -> open.decisions();
      case Questions.AnswerSoFar.Closed closed ->
          closed.answer().yes()
              ? List.of(take)
              : Decision.append(
                  new Event.RemedyStepDone(
                      a.id(), index, new StepEnd.Refused(closed.answer().byPerson())),
                  Statement.phrase("because-not-approved"));
    };
  }

  private static List<Decision> waitForCheckout(
      SweepState s,
      TrialState t,
      AttemptState a,
      AttemptState.RemedyState state,
      int index,
      Instant now) {
    RemedyStep step = state.step(index);
    List<AttemptState> met = met(s, t, state);
    Instant since = met.getFirst().remedy().orElseThrow().begunAt();
    String key = "outage:" + state.failureClass() + ":" + since.getEpochSecond();
    if (!s.notices().containsKey(key)
        && !now.isBefore(since.plus(step.duration("tell", TELL_AFTER)))) {
      return Decision.append(
          new Event.NoticeIssued(
              key, new Notice.Incident(new Occurrence.NoCheckout(since, met.size()))),
          Statement.phrase("because-outage-blocks"));
    }
    Duration wait = waitForCheckout(step, met);
    return now.isBefore(state.begunAt().plus(wait))
        ? List.of()
        : Decision.append(waited(a, index, wait), Statement.phrase("because-wait-over"));
  }

  private static Duration waitForCheckout(RemedyStep step, List<AttemptState> met) {
    return met.size() <= 1
        ? step.duration("first", FIRST_WAIT)
        : step.duration("later", LATER_WAIT);
  }

  private static List<AttemptState> met(
      SweepState s, TrialState t, AttemptState.RemedyState state) {
    List<AttemptState> inARow = RemedyLimits.occurrences(s, t, state);
    // A trial may meet this failure repeatedly while other trials' jobs measure.
    List<AttemptState> own =
        t.attempts().stream()
            .filter(
                o ->
                    o.remedy()
                        .filter(r -> r.failureClass().equals(state.failureClass()))
                        .isPresent())
            .toList();
    return inARow.size() > own.size() ? inARow : own;
  }

  /** The step that the remedy waits for: a step in execution, or a wait of the daemon itself. */
  static Optional<AttemptState.StepUnderWay> awaited(AttemptState.RemedyState state) {
    int next = nextStep(state);
    if (state.running().isPresent() || next == state.remedy().steps().size()) {
      return state.running();
    }
    return switch (state.step(next).action()) {
      case RemedyStep.WAIT -> Optional.of(new AttemptState.StepUnderWay(next, restedSince(state)));
      case RemedyStep.WAIT_FOR_CHECKOUT ->
          Optional.of(new AttemptState.StepUnderWay(next, state.begunAt()));
      default -> Optional.empty();
    };
  }

  /** The longest time that the step may take. */
  static Duration timeLimit(SweepState s, TrialState t, AttemptState.RemedyState state, int index) {
    RemedyStep step = state.step(index);
    return step.action().equals(RemedyStep.WAIT_FOR_CHECKOUT)
        ? waitForCheckout(step, met(s, t, state))
        : step.timeout();
  }

  private static Instant restedSince(AttemptState.RemedyState state) {
    return state.stepsDone().isEmpty() ? state.begunAt() : state.stepsDone().getLast().at();
  }

  private static List<Decision> follow(
      SweepState s, TrialState t, Diagnosis diagnosis, Remedy.Then then) {
    return switch (then) {
      // Resubmission decides when these trials, and those of a halted sweep, are submitted again.
      case RESUBMIT -> List.of();
      case HALT ->
          Trials.isRunning(s)
              ? Decision.append(
                  new Event.SweepHalted(
                      new HaltCause.Incurable(
                          diagnosis.failureClass(), diagnosis.detail(), tried(s, t)),
                      failingNodes(s, diagnosis)),
                  Statement.phrase("because-trigger-of", diagnosis.failureClass()))
              : List.of();
      case FAIL_TRIAL, ACCEPT -> failed(t, diagnosis);
      case DROP_PROFILE -> dropProfile(s, t, diagnosis, false);
      case SET_ASIDE -> dropProfile(s, t, diagnosis, true);
    };
  }

  private static List<Decision> dropProfile(
      SweepState s, TrialState t, Diagnosis diagnosis, boolean tell) {
    String profile = t.trial().profile();
    List<Decision> decisions = new ArrayList<>(failed(t, diagnosis));
    if (!s.isDropped(profile)) {
      decisions.add(
          new Decision.Append(
              new Event.ProfileDropped(
                  profile,
                  DropCause.FAILED,
                  new Cause.FailedAs(diagnosis.failureClass(), diagnosis.detail())),
              Statement.phrase("because-no-retry")));
      if (tell) {
        decisions.add(
            new Decision.Append(
                new Event.NoticeIssued(
                    asideKey(s, t),
                    new Notice.Incident(
                        new Occurrence.ProfileSetAside(
                            profile, diagnosis.failureClass(), diagnosis.detail()))),
                Statement.phrase("because-user-know")));
      }
    }
    return decisions;
  }

  /** A profile that was taken back may be set aside again, and people are told again. */
  private static String asideKey(SweepState s, TrialState t) {
    String key = "aside:" + t.trial().profile();
    return s.notices().containsKey(key) ? key + ":" + t.trial().id() : key;
  }

  private static List<Decision> failed(TrialState t, Diagnosis diagnosis) {
    return Decision.append(
        new Event.TrialClosed(
            t.trial().id(), new Disposition.Failed(diagnosis.failureClass(), diagnosis.detail())),
        Statement.phrase("because-exhausted"));
  }

  /**
   * The hardware check that is still due: hardware may have broken in the last crash as well as in
   * the first.
   */
  private static OptionalInt hardwareCheck(AttemptState.RemedyState state) {
    return IntStream.range(0, state.remedy().steps().size())
        .filter(i -> isHardwareCheck(state, i))
        .filter(
            i -> state.stepsDone().stream().noneMatch(d -> d.index() == i && d.end().succeeded()))
        .findFirst();
  }

  static boolean isHardwareCheck(AttemptState.RemedyState state, int index) {
    return state.step(index).action().equals(CHECK_DMESG);
  }

  private static int nextStep(AttemptState.RemedyState state) {
    int next = 0;
    for (AttemptState.StepDone done : state.stepsDone()) {
      if (done.end().succeeded() || goesOn(state, done.index())) {
        next = Math.max(next, done.index() + 1);
      }
    }
    return next;
  }

  private static boolean goesOn(AttemptState.RemedyState state, int index) {
    return state.step(index).onFailure() == Remedy.Then.RESUBMIT
        && failures(state, index) >= state.step(index).tries();
  }

  private static Optional<Remedy.Then> failedStep(AttemptState.RemedyState state) {
    for (int i = 0; i < state.remedy().steps().size(); i++) {
      int index = i;
      RemedyStep step = state.step(i);
      boolean succeeded =
          state.stepsDone().stream().anyMatch(d -> d.index() == index && d.end().succeeded());
      if (!succeeded
          && failures(state, index) >= Math.max(1, step.tries())
          && step.onFailure() != Remedy.Then.RESUBMIT) {
        return Optional.of(step.onFailure());
      }
    }
    return Optional.empty();
  }

  private static long failures(AttemptState.RemedyState state, int index) {
    return state.stepsDone().stream()
        .filter(d -> d.index() == index && !d.end().succeeded())
        .count();
  }

  static List<String> failingNodes(SweepState s, Diagnosis diagnosis) {
    return diagnosis.subjects().stream().filter(s.cell().nodes()::contains).toList();
  }

  /** The last remedy's steps or, if its limit allowed none, the steps of earlier remedies. */
  private static List<HaltCause.StepTried> tried(SweepState s, TrialState t) {
    Optional<AttemptState.RemedyState> last = t.lastAttempt().flatMap(AttemptState::remedy);
    List<HaltCause.StepTried> own = last.stream().flatMap(Remedies::tried).toList();
    return own.isEmpty()
        ? last.stream()
            .flatMap(r -> RemedyLimits.occurrences(s, t, r).stream())
            .flatMap(a -> a.remedy().stream())
            .flatMap(Remedies::tried)
            .distinct()
            .toList()
        : own;
  }

  private static Stream<HaltCause.StepTried> tried(AttemptState.RemedyState r) {
    return r.stepsDone().stream().map(d -> tried(r.remedy(), d));
  }

  private static HaltCause.StepTried tried(Remedy remedy, AttemptState.StepDone done) {
    StepEnd end =
        switch (done.end()) {
          case StepEnd.Succeeded ok -> ok.isSpared() ? ok : StepEnd.succeeded(Statement.words(""));
          case StepEnd.Failed failed -> StepEnd.failed(failed.said().cut(MOST_SAID));
          case StepEnd.Refused refused -> refused;
        };
    return new HaltCause.StepTried(remedy.steps().get(done.index()).action(), end);
  }

  private static Event waited(AttemptState a, int index, Duration wait) {
    return new Event.RemedyStepDone(
        a.id(), index, StepEnd.succeeded(Statement.phrase("because-waited", wait)));
  }

  static Duration limitOf(Remedy remedy, Duration otherwise) {
    return remedy.steps().isEmpty() ? otherwise : remedy.steps().getFirst().timeout();
  }
}
