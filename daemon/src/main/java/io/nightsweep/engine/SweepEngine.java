package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.conductor.BoardMemo;
import io.nightsweep.conductor.Conductor;
import io.nightsweep.journal.Journal;
import io.nightsweep.judging.Refusals;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drives one sweep: each tick queries the cluster once, journals what has happened, and carries out
 * the conductor's decisions. Nothing leaves the process before its intent is journaled.
 */
public final class SweepEngine implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SweepEngine.class);

  /**
   * A conductor that never stops deciding is a bug; the tick then ends and the next one continues.
   */
  private static final int MOST_ROUNDS = 1_000;

  private static final int ERRORS_TO_HALT = 2;

  private static final long NO_LOOK = Long.MIN_VALUE;

  private final Journal journal;
  private final Observer observer;
  private final Actor actor;
  private final DecisionLog decisions;
  private final InstantSource clock;

  /**
   * Held during a tick and while the journal is written. It is fair: a waiting thread gets it
   * before the next tick, which may follow at once.
   */
  private final ReentrantLock turn = new ReentrantLock(true);

  private volatile long lookBeganNanos = NO_LOOK;
  private boolean cancelAgain = true;
  private volatile int errors;
  private int errorsAfterwards;
  private final RepeatedError lookErrors;
  private final RepeatedError decisionErrors;
  private volatile Instant lastGoodTick;
  private volatile boolean hasLooked;
  private final BoardMemo memo = new BoardMemo();
  private volatile SweepState state;
  private volatile Optional<String> storageFailure = Optional.empty();

  public SweepEngine(
      SweepState state,
      Journal journal,
      Observer observer,
      Actor actor,
      DecisionLog decisions,
      InstantSource clock) {
    this.state = state;
    this.journal = journal;
    this.observer = observer;
    this.actor = actor;
    this.decisions = decisions;
    this.clock = clock;
    lastGoodTick = clock.instant();
    lookErrors = new RepeatedError("a look at sweep " + state.sweep());
    decisionErrors = new RepeatedError("a decision of sweep " + state.sweep());
  }

  /** Never waits for a tick. */
  public SweepState state() {
    return state;
  }

  /** The steps of a running job from its last reading. Never waits for a tick. */
  public List<Measurement.MeasuredStep> shown(AttemptId attempt) {
    return observer.shown(attempt);
  }

  /** Present while the journal cannot be written; nothing is submitted meanwhile. */
  public Optional<String> storageFailure() {
    return storageFailure;
  }

  /**
   * Journals the command and acts on it.
   *
   * @throws IOException if it could not be journaled; it then has no effect
   */
  public void accept(Command command, Command.Origin origin) throws IOException {
    record(events(command, origin));
  }

  /**
   * Journals the command and acts on it, if the sweep's state then admits it.
   *
   * @return why it does not
   * @throws BusyException if a tick does not end in time; the command then has no effect
   * @throws IOException if it could not be journaled; it then has no effect
   */
  Optional<Statement> admit(Command command, Command.Origin origin, Deadline deadline)
      throws IOException, InterruptedException {
    lock(deadline);
    try {
      Optional<Statement> refusal = Admission.refusal(state, command, origin.door());
      if (refusal.isEmpty()) {
        append(events(command, origin));
      }
      return refusal;
    } finally {
      turn.unlock();
    }
  }

  private static List<Event> events(Command command, Command.Origin origin) {
    List<Event> events = new ArrayList<>();
    events.add(new Event.CommandAccepted(command, origin));
    if (command instanceof Command.Resume resume && resume.nodelist().isPresent()) {
      events.add(new Event.CellRepinned(resume.nodelist().get()));
    }
    return events;
  }

  /**
   * Journals events unless a tick holds the sweep until the deadline.
   *
   * @throws BusyException if a tick holds it; nothing is then journaled
   */
  void recordSoon(List<Event> events, Deadline deadline) throws IOException, InterruptedException {
    lock(deadline);
    try {
      append(events);
    } finally {
      turn.unlock();
    }
  }

  private void lock(Deadline deadline) throws BusyException, InterruptedException {
    if (deadline.isOver() || !turn.tryLock(deadline.leftNanos(), TimeUnit.NANOSECONDS)) {
      throw new BusyException(Statement.phrase("busy-look", state.sweep()));
    }
  }

  boolean isLooking() {
    return lookBeganNanos != NO_LOOK;
  }

  /** Whether a tick has held the sweep for longer than this. */
  boolean isBusy(Duration longLook) {
    long began = lookBeganNanos;
    return began != NO_LOOK && System.nanoTime() - began > longLook.toNanos();
  }

  /** Journals an event from outside the tick, however long a tick takes. */
  public void record(Event event) throws IOException {
    record(List.of(event));
  }

  public void record(List<Event> events) throws IOException {
    turn.lock();
    try {
      append(events);
    } finally {
      turn.unlock();
    }
  }

  /**
   * Polls, journals, decides and acts once. If errors of the daemon itself end two ticks in a row,
   * the sweep halts and people are notified, since a sweep that only seems to run helps nobody.
   */
  public void tick() throws InterruptedException {
    turn.lock();
    lookBeganNanos = System.nanoTime();
    try {
      look();
      errors = 0;
      lastGoodTick = clock.instant();
      hasLooked = true;
    } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
      int inARow = errors + 1;
      errors = inARow;
      failed(inARow, e);
    } finally {
      lookBeganNanos = NO_LOOK;
      turn.unlock();
    }
  }

  /**
   * The daemon's work for the sweep after each tick, without the lock. Its errors halt the sweep
   * like those of a tick.
   */
  void afterwards(Following step) throws InterruptedException {
    try {
      step.run();
      errorsAfterwards = 0;
    } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
      errorsAfterwards++;
      failed(errorsAfterwards, e);
    }
  }

  /** The number of ticks in a row, up to the last one, that ended with an error of the daemon. */
  int errorsInARow() {
    return errors;
  }

  /** Whether a tick has completed without an error. */
  boolean hasLooked() {
    return hasLooked;
  }

  /** The time since the last such tick or, if there was none, since the engine was created. */
  public Duration sinceGoodTick() {
    return Duration.between(lastGoodTick, clock.instant());
  }

  /** People's commands, and the halt itself, take effect even if the daemon fails. */
  private void failed(int inARow, Throwable error) throws InterruptedException {
    lookErrors.tell(error);
    if (inARow < ERRORS_TO_HALT) {
      return;
    }
    turn.lock();
    try {
      if (state.phase() instanceof Phase.Running) {
        append(
            List.of(
                new Event.SweepHalted(
                    new HaltCause.DaemonError(inARow, error.toString()), List.of())));
      }
      decideUntilAtRest();
    } catch (IOException e) {
      storageFailed(e);
    } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError again) {
      decisionErrors.tell(again);
    } finally {
      turn.unlock();
    }
  }

  private void look() throws InterruptedException {
    if (state.isDone()) {
      decideUntilAtRest();
      return;
    }
    try {
      recoverStorage();
      observe();
    } catch (IOException e) {
      storageFailed(e);
      return;
    }
    decideUntilAtRest();
  }

  private void observe() throws IOException, InterruptedException {
    try {
      List<Event> seen = new ArrayList<>(observer.observe(state, clock.instant()));
      state
          .clusterOutage()
          .ifPresent(
              outage ->
                  seen.addFirst(
                      new Event.ClusterReachable(
                          Duration.between(outage.since(), clock.instant()))));
      append(seen);
      if (cancelAgain) {
        actor.cancelAgain(state);
        cancelAgain = false;
      }
      for (AttemptState a : observer.unanswered(state, clock.instant())) {
        append(observer.lookUp(a).stream().toList());
      }
      for (Decision decision : Conductor.ofUnqueued(state, clock.instant())) {
        carryOut(decision);
        if (state.clusterOutage().isPresent()) {
          return;
        }
      }
      append(observer.judge(state));
      append(observer.findings(state));
      actor.collectRemedySteps(state, this::append);
    } catch (ClusterUnreachableException e) {
      unreachable(e);
    }
  }

  private void decideUntilAtRest() throws InterruptedException {
    try {
      for (int round = 0; round < MOST_ROUNDS; round++) {
        List<Decision> next = Conductor.decide(state, clock.instant(), memo);
        if (next.isEmpty()) {
          return;
        }
        for (Decision decision : next) {
          carryOut(decision);
          if (state.clusterOutage().isPresent() && !(decision instanceof Decision.Append)) {
            return;
          }
        }
      }
      log.error("no rest after {} rounds of decisions; the next tick goes on", MOST_ROUNDS);
    } catch (IOException e) {
      storageFailed(e);
    }
  }

  private void carryOut(Decision decision) throws IOException, InterruptedException {
    decisions.add(state.seq(), clock.instant(), decision);
    try {
      switch (decision) {
        case Decision.Append d -> append(List.of(d.event()));
        case Decision.Submit d -> actor.submit(state, d.attempt(), this::append);
        case Decision.Cancel d when d.cause() == CancelCause.NEVER_QUEUED ->
            append(Refusals.neverQueued(d.attempt(), clock.instant()));
        case Decision.Cancel d -> actor.cancel(state, d.attempt(), d.cause(), this::append);
        case Decision.TakeRemedyStep d ->
            actor.takeRemedyStep(state, d.attempt(), d.index(), this::append);
      }
    } catch (ClusterUnreachableException e) {
      unreachable(e);
    }
  }

  private void unreachable(ClusterUnreachableException e) throws IOException {
    cancelAgain = true;
    if (state.clusterOutage().isEmpty()) {
      log.warn("the cluster gives no answer: {}", e.getMessage());
      append(List.of(new Event.ClusterUnreachable(String.valueOf(e.getMessage()))));
    }
  }

  private void recoverStorage() throws IOException {
    if (storageFailure.isPresent()) {
      append(List.of(new Event.StorageFailed(storageFailure.get()), new Event.StorageRecovered()));
      log.info("the journal can be written again");
      storageFailure = Optional.empty();
    }
  }

  private void storageFailed(IOException e) {
    if (storageFailure.isEmpty()) {
      log.error("the sweep waits: its journal cannot be written: {}", e.getMessage());
    }
    storageFailure = Optional.of(String.valueOf(e.getMessage()));
  }

  private void append(List<Event> events) throws IOException {
    if (events.isEmpty()) {
      return;
    }
    for (Entry entry : journal.append(clock.instant(), events)) {
      state = state.apply(entry);
    }
  }

  /**
   * Journals that the daemon ends, and closes the journal; jobs keep running. If a tick hangs and
   * cannot be interrupted, neither is done, and the process ends anyway.
   */
  void end(String reason, Deadline deadline) throws IOException, InterruptedException {
    lock(deadline);
    try {
      append(List.of(new Event.DaemonStopped(reason)));
    } finally {
      journal.close();
      turn.unlock();
    }
  }

  /** Leaves jobs running and the journal complete. */
  @Override
  public void close() throws IOException {
    turn.lock();
    try {
      journal.close();
    } finally {
      turn.unlock();
    }
  }

  /** The request was not answered in time; nothing was done. */
  static final class BusyException extends IOException {
    private static final long serialVersionUID = 1L;

    private final transient Statement said;

    /**
     * @param what keeps it from being answered
     */
    BusyException(Statement what) {
      said = Statement.phrase("refusal-busy", what);
    }

    Statement said() {
      return said;
    }
  }

  /** An action after a tick. */
  interface Following {
    void run() throws InterruptedException;
  }

  /** Journals events before the caller goes on. */
  interface Recorder {
    void record(List<Event> events) throws IOException;
  }
}
