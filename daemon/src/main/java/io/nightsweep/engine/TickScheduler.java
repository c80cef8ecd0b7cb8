package io.nightsweep.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the tick of each sweep again and again, never twice at once for one sweep. In memory only:
 * the journal is the truth.
 */
final class TickScheduler {
  private static final Logger log = LoggerFactory.getLogger(TickScheduler.class);
  private static final int THREADS = 4;
  private static final Duration AFTER_A_BUG = Duration.ofSeconds(10);

  private final Tick tick;
  private final Scheduler scheduler;
  private final Map<Thread, Look> ticking = new ConcurrentHashMap<>();
  private volatile boolean stopping;

  /** By a clock that nobody sets. */
  private record Look(String sweep, long beganNanos) {
    boolean isOlderThan(Duration limit) {
      return System.nanoTime() - beganNanos > limit.toNanos();
    }
  }

  interface Tick {
    /** The time to the next tick; empty where there is none. */
    Optional<Duration> of(String sweep) throws InterruptedException;
  }

  TickScheduler(Tick tick) {
    this.tick = tick;
    try {
      Properties settings = new Properties();
      settings.putAll(
          Map.of(
              StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME,
              "ticks-" + System.identityHashCode(this),
              "org.quartz.threadPool.threadCount",
              Integer.toString(THREADS),
              "org.quartz.threadPool.threadNamePrefix",
              "tick"));
      scheduler = new StdSchedulerFactory(settings).getScheduler();
      scheduler.setJobFactory((bundle, owner) -> new TickJob(this));
      scheduler.start();
    } catch (SchedulerException e) {
      throw new IllegalStateException("the scheduler does not start", e);
    }
  }

  void start(String sweep) {
    try {
      scheduler.addJob(
          JobBuilder.newJob(TickJob.class).withIdentity(job(sweep)).storeDurably().build(), true);
      scheduler.scheduleJob(trigger(sweep, Duration.ZERO));
    } catch (SchedulerException e) {
      throw new IllegalStateException("the tick of " + sweep + " cannot be scheduled", e);
    }
  }

  /** Brings the next tick forward. */
  void soon(String sweep) {
    schedule(sweep, Duration.ZERO);
  }

  /** A sweep whose tick began longer than {@code limit} ago and has not ended. */
  Optional<String> blocked(Duration limit) {
    return ticking.values().stream()
        .filter(look -> look.isOlderThan(limit))
        .map(Look::sweep)
        .findFirst();
  }

  /** Lets running ticks end, interrupting those that take longer than {@code patience}. */
  void stop(Duration patience) {
    stopping = true;
    try {
      scheduler.standby();
      long giveUp = System.nanoTime() + patience.toNanos();
      while (!ticking.isEmpty() && System.nanoTime() < giveUp) {
        Thread.sleep(20);
      }
      ticking.keySet().forEach(Thread::interrupt);
      scheduler.shutdown(false);
    } catch (SchedulerException e) {
      log.warn("the scheduler does not stop: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(String sweep) {
    ticking.put(Thread.currentThread(), new Look(sweep, System.nanoTime()));
    try {
      Optional<Duration> next = tick.of(sweep);
      if (next.isPresent()) {
        schedule(sweep, next.get());
      } else {
        scheduler.deleteJob(job(sweep));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | VirtualMachineError | LinkageError | AssertionError e) {
      // Quartz swallows what is thrown here, and the sweep would never be looked at again.
      log.error("the tick of {} failed; the next one is in {}", sweep, AFTER_A_BUG, e);
      schedule(sweep, AFTER_A_BUG);
    } catch (SchedulerException e) {
      log.debug("the daemon ended before the ticks of {} did", sweep, e);
    } finally {
      ticking.remove(Thread.currentThread());
    }
  }

  private void schedule(String sweep, Duration in) {
    if (stopping) {
      return;
    }
    try {
      if (scheduler.rescheduleJob(TriggerKey.triggerKey(sweep), trigger(sweep, in)) == null) {
        scheduler.scheduleJob(trigger(sweep, in));
      }
    } catch (SchedulerException e) {
      log.error("the next tick of {} cannot be scheduled", sweep, e);
    }
  }

  private static Trigger trigger(String sweep, Duration in) {
    return TriggerBuilder.newTrigger()
        .withIdentity(TriggerKey.triggerKey(sweep))
        .forJob(job(sweep))
        .startAt(Date.from(Instant.now().plus(in)))
        .build();
  }

  private static JobKey job(String sweep) {
    return JobKey.jobKey(sweep);
  }

  @DisallowConcurrentExecution
  private record TickJob(TickScheduler owner) implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      owner.run(context.getJobDetail().getKey().getName());
    }
  }
}
