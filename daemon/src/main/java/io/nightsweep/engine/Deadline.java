package io.nightsweep.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The moment by which everything that a request waits for must be done; nothing is begun for the
 * request afterwards. Counted by a monotonic clock.
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

  /** What may wait for a dead cluster or file server, and changes nothing. */
  interface Awaited<T> {
    T get() throws InterruptedException;
  }

  /**
   * Asks in a thread of its own, which is interrupted at the deadline and then left to itself.
   *
   * @return empty where there is no answer in time
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
