package io.nightsweep.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * While open, a signal that ends the program (Ctrl-C) interrupts the thread and waits until the
 * thread has cleaned up.
 */
final class InterruptOnExit {
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread hook;

  private InterruptOnExit(Thread worker, Duration limit) {
    this.hook =
        new Thread(
            () -> {
              worker.interrupt();
              try {
                boolean tidy = closed.await(limit.toMillis(), TimeUnit.MILLISECONDS);
                if (!tidy) {
                  System.err.println("nightsweep: a job may still be queued; see squeue");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  static InterruptOnExit thisThread(Duration limit) {
    InterruptOnExit open = new InterruptOnExit(Thread.currentThread(), limit);
    Runtime.getRuntime().addShutdownHook(open.hook);
    return open;
  }

  void close() {
    closed.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The program is already exiting; then the hook is waiting for this thread.
    }
  }
}
