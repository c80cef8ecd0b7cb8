package io.nightsweep.cli;

import io.nightsweep.asked.Commands;
import io.nightsweep.engine.Daemon;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.engine.SocketServer;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SteadyClock;
import io.nightsweep.page.Page;
import io.nightsweep.page.PageSweeps;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "serve",
    mixinStandardHelpOptions = true,
    description = "The daemon in the foreground, for systemd; takes up all unfinished sweeps.")
final class ServeCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(ServeCommand.class);

  private static final Duration CLIENT_PATIENCE = Duration.ofSeconds(30);

  @Mixin private StateFolder state;

  @Option(
      names = "--idle-exit",
      paramLabel = "SECONDS",
      description = "End after this time without a sweep to drive (default: never).")
  private @Nullable Integer idleExitSeconds;

  /**
   * Calls to Slurm, reading logs and writing reports together end within minutes; a dead file
   * server never answers.
   */
  @Option(
      names = "--longest-look",
      hidden = true,
      paramLabel = "SECONDS",
      description = "Restart once a look at a sweep has taken this long.",
      defaultValue = "600")
  private int longestLookSeconds;

  @Override
  public Integer call() throws IOException, InterruptedException {
    StateDirectory directory = state.directory();
    Commands commands = new ChildCommands();
    Daemon daemon =
        Daemon.open(
            directory, Places.parts().running(commands), InstantSource.system(), new SteadyClock());
    Page page =
        new Page(
            directory,
            sweepsOf(daemon),
            daemon.confirming(),
            Places.parts().redaction(),
            InstantSource.system());
    ScheduledStarts starts =
        ScheduledStarts.open(
            directory, new CommandLineStart(directory, commands), daemon::announce);
    SocketServer server =
        SocketServer.listen(
            directory.socket(), request -> handle(daemon, page, starts, request), CLIENT_PATIENCE);
    page.reopen();
    CountDownLatch told = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              told.countDown();
              starts.close();
              end(daemon, server, page, "SIGTERM");
            });
    Runtime.getRuntime().addShutdownHook(hook);
    log.info("serving {}", directory.root());
    SystemdWatchdog watchdog = new SystemdWatchdog(System.getenv());
    while (!told.await(1, TimeUnit.SECONDS)) {
      Duration longestLook = Duration.ofSeconds(longestLookSeconds);
      List<String> blocked = daemon.blocked(longestLook);
      if (!blocked.isEmpty()) {
        Restart.now(
            "a look at sweep %s has not ended in %d s"
                .formatted(String.join(", ", blocked), longestLookSeconds));
      }
      daemon.alarm(longestLook.dividedBy(10));
      watchdog.alive();
      DaemonLog.bound(directory.log());
      if (Files.notExists(directory.owner())) {
        // Nobody can reach the daemon here any more, and its writes would create the folder again.
        log.error("{} was removed; the daemon ends", directory.root());
        Runtime.getRuntime().halt(ExitCode.NOT_FOUND);
      }
      if (idleExitSeconds != null
          && !page.isWatched()
          && !starts.isWaiting()
          && !daemon.isAnnouncing()
          && daemon.idleFor().compareTo(Duration.ofSeconds(idleExitSeconds)) > 0
          && daemon.refuseIfIdle()) {
        Runtime.getRuntime().removeShutdownHook(hook);
        starts.close();
        end(daemon, server, page, "idle");
        return ExitCode.OK;
      }
    }
    hook.join();
    return ExitCode.OK;
  }

  /** Passes requests for the page and the schedule to these, all others to the daemon. */
  private static Reply handle(Daemon daemon, Page page, ScheduledStarts starts, Request request)
      throws InterruptedException {
    try {
      return switch (request) {
        case Request.OpenPage open -> page.open(open);
        case Request.ClosePage close -> page.forget();
        case Request.Schedule schedule -> starts.add(schedule.start());
        case Request.Unschedule unschedule -> starts.remove(unschedule.id());
        default -> daemon.handle(request);
      };
    } catch (IOException e) {
      return new Reply.Refused("it could not be recorded: " + e.getMessage());
    }
  }

  private static PageSweeps sweepsOf(Daemon daemon) {
    return new PageSweeps() {
      @Override
      public Optional<SweepState> driven(String sweep) {
        return daemon.state(sweep);
      }

      @Override
      public List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt) {
        return daemon.steps(sweep, attempt);
      }

      @Override
      public List<Reply.Hosting.Sweep> hosting() {
        return daemon.hosting();
      }

      @Override
      public Optional<Statement> tell(Request.Tell request) throws InterruptedException {
        return daemon.tell(request);
      }
    };
  }

  private static void end(Daemon daemon, SocketServer server, Page page, String reason) {
    try {
      page.close();
      server.close();
      daemon.close(reason);
    } catch (IOException e) {
      log.error("the daemon did not end cleanly: {}", e.getMessage());
    }
  }
}
