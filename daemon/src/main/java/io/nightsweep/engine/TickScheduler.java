package io.nightsweep.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the tick of each sweep repeatedly, in a separate thread per sweep, so that blocked sweeps
 * do not delay others. Times are measured with a clock that nobody sets.
 */
final class TickScheduler {
  private static final Logger log = LoggerFactory.getLogger(TickScheduler.class);
  private static final Duration AFTER_A_BUG = Duration.ofSeconds(10);

  private final Tick tick;
  private final Map<String, SweepLoop> loops = new ConcurrentHashMap<>();
  private boolean isStopped;

  interface Tick {
    /** The time to the next tick; empty if there is none. */
    Optional<Duration> of(String sweep) throws InterruptedException;
  }

  TickScheduler(Tick tick) {
    this.tick = tick;
  }

  /**
   * Starts the sweep's thread, which ends with its last tick; a sweep that is started again gets
   * another thread. After {@link #stop}, no thread is started.
   */
  synchronized void start(String sweep) {
    if (!isStopped) {
      SweepLoop loop = new SweepLoop(sweep);
      loops.put(sweep, loop);
      loop.soon();
    }
  }

  /** Brings the next tick forward. */
  void soon(String sweep) {
    SweepLoop loop = loops.get(sweep);
    if (loop != null) {
      loop.soon();
    }
  }

  /** The sweeps with a tick that began longer than {@code limit} ago and has not ended. */
  List<String> blocked(Duration limit) {
    return loops.values().stream()
        .filter(loop -> loop.hasTickedFor(limit))
        .map(loop -> loop.sweep)
        .toList();
  }

  /** Lets running ticks end, and interrupts those that take longer than {@code patience}. */
  void stop(Duration patience) {
    shutdown();
    long giveUp = System.nanoTime() + patience.toNanos();
    try {
      for (SweepLoop loop : loops.values()) {
        if (!loop.thread.awaitTermination(giveUp - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          loop.thread.shutdownNow();
        }
      }
    } catch (InterruptedException e) {
      loops.values().forEach(loop -> loop.thread.shutdownNow());
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void shutdown() {
    isStopped = true;
    loops.values().forEach(loop -> loop.thread.shutdown());
  }

  private final class SweepLoop {
    private final String sweep;
    private final ScheduledThreadPoolExecutor thread;
    private @Nullable ScheduledFuture<?> next;
    private boolean isAskedForAnother;
    private boolean isTicking;
    private long beganNanos;

    SweepLoop(String sweep) {
      this.sweep = sweep;
      thread =
          new ScheduledThreadPoolExecutor(
              1, task -> Thread.ofPlatform().name("tick " + sweep).daemon().unstarted(task));
      thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    synchronized void soon() {
      if (isTicking) {
        isAskedForAnother = true;
      } else {
        schedule(Duration.ZERO);
      }
    }

    synchronized boolean hasTickedFor(Duration limit) {
      return isTicking && System.nanoTime() - beganNanos > limit.toNanos();
    }

    private synchronized void begin() {
      isTicking = true;
      isAskedForAnother = false;
      beganNanos = System.nanoTime();
    }

    private synchronized void end(Optional<Duration> in) {
      isTicking = false;
      if (in.isPresent()) {
        schedule(isAskedForAnother ? Duration.ZERO : in.get());
      } else {
        loops.remove(sweep, this);
        thread.shutdown();
      }
    }

    private void schedule(Duration in) {
      if (next != null) {
        next.cancel(false);
      }
      if (!thread.isShutdown()) {
        next = thread.schedule(this::run, in.toNanos(), TimeUnit.NANOSECONDS);
      }
    }

    private void run() {
      begin();
      Optional<Duration> in = Optional.of(AFTER_A_BUG);
      try {
        in = tick.of(sweep);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
        // The next tick follows whatever error this one had.
        log.error("the tick of {} failed; the next one is in {}", sweep, AFTER_A_BUG, e);
      } finally {
        end(in);
      }
    }
  }
}
