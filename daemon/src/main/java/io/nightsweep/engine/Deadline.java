package io.nightsweep.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The time by which all work that a request waits for must be done; afterwards nothing is begun for
 * the request. Measured with a monotonic clock.
 */
record Deadline(long atNanos) {
  static Deadline in(Duration patience) {
    return new Deadline(System.nanoTime() + patience.toNanos());
  }

  long leftNanos() {
    return Math.max(0, atNanos - System.nanoTime());
  }

  boolean isOver() {
    return leftNanos() == 0;
  }

  /** An action that may wait for a dead cluster or file server and changes nothing. */
  interface Awaited<T> {
    T get() throws InterruptedException;
  }

  /**
   * Runs the action in a separate thread. The thread is interrupted at the deadline and then left
   * alone.
   *
   * @return empty if there is no answer in time
   */
  <T> Optional<T> ask(String thread, Awaited<T> slow) throws InterruptedException {
    FutureTask<T> answer = new FutureTask<>(slow::get);
    Thread.ofPlatform().name(thread).daemon().start(answer);
    try {
      return Optional.of(answer.get(leftNanos(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new IllegalStateException(e);
      }
    } finally {
      answer.cancel(true);
    }
  }
}
