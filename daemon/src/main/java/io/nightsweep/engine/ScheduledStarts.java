package io.nightsweep.engine;

import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.Ours;
import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TimeZone;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.quartz.CronScheduleBuilder;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.JobKey;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.GroupMatcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduled starts: each has a file in the state directory and a Quartz trigger in the daemon.
 * A start that was missed while no daemon ran is made up for when the next daemon starts.
 */
public final class ScheduledStarts implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ScheduledStarts.class);
  private static final int DAYS_OF_A_WEEK = 7;

  /** A file in writing has a different name. */
  private static final Pattern NAME = Pattern.compile("\\d{1,9}\\.json");

  /** Many times the size of the longest file. */
  private static final int MOST_BYTES = 1 << 16;

  /** A time beyond any calendar would overflow calculations. */
  private static final Instant LATEST = Instant.parse("2100-01-01T00:00:00Z");

  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("EEEE yyyy-MM-dd HH:mm", Locale.ROOT);

  /** Refusals older than this are no longer reported. */
  private static final Duration NEWS = Duration.ofDays(1);

  private final Path folder;
  private final Starter launch;
  private final Telling telling;
  private final Scheduler scheduler;

  /** Starts a sweep as the command line does. */
  public interface Starter {
    ScheduledStart.StartOutcome start(ScheduledStart start) throws InterruptedException;
  }

  /** Sends people a message that concerns no sweep; {@code told} is called after delivery. */
  public interface Telling {
    void announce(String text, Runnable told);
  }

  private ScheduledStarts(StateDirectory state, Starter launch, Telling telling)
      throws SchedulerException {
    folder = folder(state);
    this.launch = launch;
    this.telling = telling;
    Properties settings = new Properties();
    settings.putAll(
        Map.of(
            StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME,
            "starts-" + System.identityHashCode(this),
            "org.quartz.threadPool.threadCount",
            "1",
            "org.quartz.threadPool.threadNamePrefix",
            "scheduled start",
            "org.quartz.threadPool.makeThreadsDaemons",
            "true"));
    scheduler = new StdSchedulerFactory(settings).getScheduler();
    scheduler.setJobFactory((bundle, owner) -> new StartJob(this));
  }

  /** Arms the waiting starts, and reports recent refusals of which nobody was notified. */
  public static ScheduledStarts open(StateDirectory state, Starter launch, Telling telling)
      throws IOException {
    try {
      ScheduledStarts starts = new ScheduledStarts(state, launch, telling);
      Instant lately = Instant.now().minus(NEWS);
      for (ScheduledStart start : of(state)) {
        start
            .last()
            .filter(l -> !l.succeeded() && !l.told() && l.at().isAfter(lately))
            .ifPresent(refusal -> starts.tell(start, refusal));
        if (start.isWaiting()) {
          starts.arm(start);
        }
      }
      starts.scheduler.start();
      return starts;
    } catch (SchedulerException e) {
      throw new IOException("the starts that are scheduled cannot be armed: " + e.getMessage(), e);
    }
  }

  /**
   * All starts in a state directory, by id; those that have started stay until they are removed. A
   * damaged file is skipped and named in the log.
   */
  public static List<ScheduledStart> of(StateDirectory state) throws IOException {
    return of(
        state,
        // A damaged file must not stop the daemon's sweeps or the other starts.
        (file, e) -> log.error("the scheduled start {} cannot be read: {}", file, e.getMessage()));
  }

  /**
   * As above, for a caller that polls and reports damaged files itself.
   *
   * @param damaged receives each file that cannot be read
   */
  public static List<ScheduledStart> of(StateDirectory state, BiConsumer<Path, IOException> damaged)
      throws IOException {
    Path folder = folder(state);
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<ScheduledStart> starts = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file :
          files.filter(f -> NAME.matcher(String.valueOf(f.getFileName())).matches()).toList()) {
        try {
          starts.add(read(file));
        } catch (IOException e) {
          damaged.accept(file, e);
        }
      }
    }
    starts.sort(Comparator.comparingInt(ScheduledStart::id));
    return List.copyOf(starts);
  }

  /**
   * @throws IOException if the file holds no start that can be armed under the file's name, or
   *     another user may have written it
   */
  private static ScheduledStart read(Path file) throws IOException {
    Ours.check(file);
    ScheduledStart start =
        Optional.ofNullable(
                Json.mapper().readValue(ForeignFile.read(file, MOST_BYTES), ScheduledStart.class))
            .orElseThrow(() -> new IOException("it is empty"));
    if (!file.endsWith(start.id() + ".json")) {
      throw new IOException("it says that it is start " + start.id());
    }
    if (start.first().isAfter(LATEST)) {
      throw new IOException("its hour is " + start.first());
    }
    return start;
  }

  /** Stores the start under a new id and waits for its time. */
  public synchronized Reply add(ScheduledStart asked) throws IOException {
    int id = 1;
    while (Files.exists(file(id))) {
      id++;
    }
    ScheduledStart start =
        new ScheduledStart(
            id,
            asked.file(),
            asked.cluster(),
            asked.first(),
            asked.weekly(),
            asked.zone(),
            asked.last());
    write(start);
    try {
      arm(start);
    } catch (SchedulerException e) {
      Files.delete(file(id));
      return new Reply.Refused("it cannot be scheduled: " + e.getMessage());
    }
    return new Reply.Scheduled(id);
  }

  /** Removes a start; a sweep that it has started goes on. */
  public synchronized Reply remove(int id) throws IOException {
    if (!Files.deleteIfExists(file(id))) {
      return new Reply.Refused("no start is scheduled as " + id + "; 'nightsweep schedule' lists");
    }
    try {
      scheduler.deleteJob(JobKey.jobKey(Integer.toString(id)));
    } catch (SchedulerException e) {
      log.warn("the trigger of scheduled start {} could not be removed: {}", id, e.getMessage());
    }
    return new Reply.Accepted();
  }

  /** Whether a start is still to come, for which the daemon has to stay. */
  public boolean isWaiting() {
    try {
      return !scheduler.getTriggerKeys(GroupMatcher.anyGroup()).isEmpty();
    } catch (SchedulerException e) {
      return false;
    }
  }

  private void arm(ScheduledStart start) throws SchedulerException {
    ZonedDateTime hour = start.first().atZone(start.zone());
    // A missed time is made up for once, however many weeks no daemon ran.
    ScheduleBuilder<?> schedule =
        start.weekly()
            ? CronScheduleBuilder.weeklyOnDayAndHourAndMinute(
                    hour.getDayOfWeek().getValue() % DAYS_OF_A_WEEK + 1,
                    hour.getHour(),
                    hour.getMinute())
                .inTimeZone(TimeZone.getTimeZone(start.zone()))
                .withMisfireHandlingInstructionFireAndProceed()
            : SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionFireNow();
    Instant from = start.last().map(ScheduledStart.StartOutcome::at).orElse(start.first());
    scheduler.scheduleJob(
        JobBuilder.newJob(StartJob.class).withIdentity(Integer.toString(start.id())).build(),
        TriggerBuilder.newTrigger()
            .withIdentity(Integer.toString(start.id()))
            .startAt(Date.from(start.last().isPresent() ? from.plusSeconds(1) : from))
            .withSchedule(schedule)
            .build());
  }

  private void run(int id) throws InterruptedException {
    try {
      ScheduledStart start = read(file(id));
      ScheduledStart.StartOutcome outcome = launch.start(start);
      log.info("scheduled start {} of {}: {}", id, start.file(), outcome.said());
      keep(start.with(outcome));
      if (!outcome.succeeded()) {
        tell(start, outcome);
      }
    } catch (IOException e) {
      log.error("scheduled start {} was not made: {}", id, e.getMessage());
    }
  }

  private void tell(ScheduledStart start, ScheduledStart.StartOutcome refusal) {
    telling.announce(
        "[nightsweep] NOT STARTED: %s, scheduled for %s: %s%nCheck it: nightsweep doctor %s"
            .formatted(
                start.file(),
                HOUR.format(refusal.at().atZone(start.zone())),
                refusal.said(),
                start.file()),
        () -> {
          try {
            keep(
                start.with(
                    new ScheduledStart.StartOutcome(refusal.at(), false, refusal.said(), true)));
          } catch (IOException e) {
            log.warn(
                "people may be told of scheduled start {} again: {}", start.id(), e.toString());
          }
        });
  }

  /** Writes the outcome of a start, unless the start was removed meanwhile or has begun again. */
  private synchronized void keep(ScheduledStart start) throws IOException {
    if (!Files.exists(file(start.id()))) {
      return;
    }
    ScheduledStart now = read(file(start.id()));
    if (now.last()
        .filter(l -> start.last().filter(s -> s.at().isBefore(l.at())).isPresent())
        .isEmpty()) {
      write(start);
    }
  }

  private void write(ScheduledStart start) throws IOException {
    OwnFile.write(file(start.id()), Json.mapper().writeValueAsString(start));
  }

  private Path file(int id) {
    return folder.resolve(id + ".json");
  }

  private static Path folder(StateDirectory state) {
    return state.root().resolve("scheduled");
  }

  @Override
  public void close() {
    try {
      scheduler.shutdown(false);
    } catch (SchedulerException e) {
      log.warn("the scheduler does not stop: {}", e.getMessage());
    }
  }

  /** One start at its time. */
  @DisallowConcurrentExecution
  private static final class StartJob implements Job {
    private final ScheduledStarts starts;

    StartJob(ScheduledStarts starts) {
      this.starts = starts;
    }

    @Override
    public void execute(JobExecutionContext context) {
      try {
        starts.run(Integer.parseInt(context.getJobDetail().getKey().getName()));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
