package io.nightsweep.engine;

import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a sweep's report beside its ticks, one writing at a time. Another process may hold the
 * lock of the model's pages and a file server may be slow; no tick waits for either.
 */
final class ReportDesk implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ReportDesk.class);

  /** How often the last report is tried; after that the sweep is no longer kept for it. */
  private static final int MOST_TRIES_AT_THE_END = 10;

  private static final Duration PATIENCE_AT_CLOSE = Duration.ofSeconds(5);

  private final SweepDirectory directory;
  private final Reporter reporter;
  private final Duration again;
  private Optional<News> told = Optional.empty();
  private Optional<SweepState> latest = Optional.empty();
  private Optional<Thread> writer = Optional.empty();
  private Optional<String> failure = Optional.empty();
  private long failedNanos;
  private int triesAtTheEnd;
  private boolean isClosed;

  /** A report is rewritten if one of these values has changed. */
  private record News(long closedTrials, Phase phase) {
    static News of(SweepState s) {
      return new News(
          s.trials().values().stream().filter(trial -> !trial.isOpen()).count(), s.phase());
    }
  }

  /**
   * @param again delay until the next try after a failed writing
   */
  ReportDesk(SweepDirectory directory, Reporter reporter, Duration again) {
    this.directory = directory;
    this.reporter = reporter;
    this.again = again;
  }

  /** Begins to write if there is news; never waits. */
  synchronized void look(SweepState state) {
    latest = Optional.of(state);
    if (writer.isEmpty() && isDue(state)) {
      writer =
          Optional.of(
              Thread.ofPlatform()
                  .daemon()
                  .name("report " + state.sweep())
                  .start(() -> writeFrom(state)));
    }
  }

  /** Present while a part of the report is out of date, with the reason. */
  synchronized Optional<String> failure() {
    return failure;
  }

  /** Whether the report is up to date or was tried often enough. */
  synchronized boolean isAtRest(SweepState state) {
    return writer.isEmpty() && (isTold(state) || isTriedOut(state));
  }

  private boolean isTold(SweepState state) {
    return told.equals(Optional.of(News.of(state)));
  }

  private boolean isTriedOut(SweepState state) {
    return state.isDone() && triesAtTheEnd >= MOST_TRIES_AT_THE_END;
  }

  private boolean isDue(SweepState state) {
    boolean isFirstAtTheEnd = state.isDone() && triesAtTheEnd == 0;
    boolean waits =
        failure.isPresent()
            && !isFirstAtTheEnd
            && System.nanoTime() - failedNanos < again.toNanos();
    return !isClosed && !isTold(state) && !isTriedOut(state) && !waits;
  }

  private void writeFrom(SweepState state) {
    Optional<SweepState> next = Optional.of(state);
    while (next.isPresent()) {
      next = ended(next.get(), write(next.get()));
    }
  }

  /** Why the report was not written; empty if it was. */
  private Optional<String> write(SweepState state) {
    try {
      reporter.write(directory, state);
      return Optional.empty();
    } catch (IOException
        | RuntimeException
        | VirtualMachineError
        | LinkageError
        | AssertionError e) {
      return Optional.of(e.toString());
    }
  }

  /** The state to write next, since there may have been news meanwhile. */
  private synchronized Optional<SweepState> ended(SweepState state, Optional<String> failed) {
    if (failed.isEmpty()) {
      told = Optional.of(News.of(state));
      triesAtTheEnd = 0;
    } else {
      if (!failure.equals(failed)) {
        log.warn(
            "the report of {} could not be written completely: {}", state.sweep(), failed.get());
      }
      failedNanos = System.nanoTime();
      triesAtTheEnd += state.isDone() ? 1 : 0;
    }
    failure = failed;
    Optional<SweepState> next = latest.filter(this::isDue);
    if (next.isEmpty()) {
      writer = Optional.empty();
    }
    return next;
  }

  /** Waits a few seconds for a report in writing, then interrupts its writer. */
  @Override
  public void close() {
    try {
      Optional<Thread> busy = writer();
      if (busy.isPresent() && !busy.get().join(PATIENCE_AT_CLOSE)) {
        shut();
        busy.get().interrupt();
        boolean unused = busy.get().join(PATIENCE_AT_CLOSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    shut();
  }

  private synchronized Optional<Thread> writer() {
    return writer;
  }

  private synchronized void shut() {
    isClosed = true;
  }
}
