package io.nightsweep.cli;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.SweepFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The time of day at which {@code start} schedules a sweep, once or weekly. */
final class StartHour {
  @Option(
      names = "--at",
      paramLabel = "HH:MM",
      description = "Start then: the file is checked now, and read again at that hour.")
  private Optional<LocalTime> at = Optional.empty();

  @Option(
      names = "--weekly",
      description = "With --at: again each week, so that a deployed recipe is measured anew.")
  private boolean weekly;

  /** Whether any of its options is given. */
  boolean isAsked() {
    return at.isPresent() || weekly;
  }

  /** Refuses incomplete options: a scheduled start needs both an hour and a file. */
  void insistOnAll(Optional<Path> file) throws CliException {
    if (isAsked() && (at.isEmpty() || file.isEmpty())) {
      throw new CliException(
          ExitCode.USAGE, "name the file and the hour: nightsweep start sweep.yaml --at 20:00");
    }
  }

  /** Checks the file now and passes the hour to the daemon, which starts the sweep then. */
  void schedule(Path sweepFile, StateFolder state, ClusterChoice.Kind cluster, PrintWriter out)
      throws IOException, CliException, InterruptedException, InvalidInputException {
    SweepFile.load(sweepFile, System.getenv());
    Fitness.insist(Fitness.ofThisMachine(state.directory()), out);
    Fitness.insist(Fitness.ofTheFolder(state.directory(), cluster), out);
    ZonedDateTime now = ZonedDateTime.now(ZoneId.systemDefault());
    ZonedDateTime today = now.with(at.orElseThrow());
    ZonedDateTime first = today.isAfter(now) ? today : today.plusDays(1);
    insistOnce(sweepFile.toAbsolutePath(), first.toInstant(), state);
    Background.ensure(state.directory(), out);
    Reply reply =
        state
            .client()
            .ask(
                new Request.Schedule(
                    new ScheduledStart(
                        0,
                        sweepFile.toAbsolutePath(),
                        cluster,
                        first.toInstant(),
                        weekly,
                        first.getZone(),
                        Optional.empty())),
                Duration.ofSeconds(60));
    if (!(reply instanceof Reply.Scheduled scheduled)) {
      throw new CliException(
          ExitCode.REFUSED,
          reply instanceof Reply.Refused r ? "refused: " + r.reason() : "refused");
    }
    out.println(
        "scheduled as %d: %s, %s%s"
            .formatted(
                scheduled.id(),
                sweepFile,
                ScheduleCommand.hour(first),
                weekly ? ", then every week" : ""));
    out.println(
        "Look: nightsweep schedule    Forget it: nightsweep schedule --remove " + scheduled.id());
    out.flush();
  }

  /** Refuses to schedule a file twice: the second start would fail when nobody is watching. */
  private void insistOnce(Path sweepFile, Instant hour, StateFolder state)
      throws IOException, CliException {
    Optional<ScheduledStart> same =
        ScheduledStarts.of(state.directory()).stream()
            .filter(s -> s.isWaiting() && s.file().equals(sweepFile))
            .filter(
                s -> (!weekly && !s.weekly()) || s.next(Instant.now()).equals(Optional.of(hour)))
            .findFirst();
    if (same.isPresent()) {
      throw new CliException(
          ExitCode.REFUSED,
          "refused: %s is scheduled already, as %d, %s; to replace that: nightsweep schedule --remove %2$d, then this again"
              .formatted(
                  sweepFile,
                  same.get().id(),
                  ScheduleCommand.hour(same.get().first().atZone(same.get().zone()))));
    }
  }
}
