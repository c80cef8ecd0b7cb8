package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalCorruptException;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.OwnerLock;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Tells how far the unfinished sweeps have come, or the latest; needs no daemon.")
final class StatusCommand implements Callable<Integer> {
  private static final Duration LATE = Duration.ofMinutes(2);

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--json", description = "The same as JSON, one object on a line for each sweep.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    PrintWriter out = spec.commandLine().getOut();
    Instant now = Instant.now();
    int code = ExitCode.OK;
    for (SweepDirectory directory : state.candidates()) {
      try {
        SweepState read = StateOptions.open(directory).state();
        if (read.phase() instanceof Phase.NotStarted) {
          out.println(directory.id() + ": its start was not recorded; remove " + directory.root());
          continue;
        }
        Progress progress = Progress.of(read, now);
        if (json) {
          out.println(Json.mapper().writeValueAsString(progress));
        } else {
          Display.lines(progress, now).forEach(out::println);
          warnings(progress).forEach(out::println);
        }
      } catch (JournalCorruptException e) {
        spec.commandLine().getErr().println(directory.id() + ": " + e.getMessage());
        code = ExitCode.FAILED;
      }
    }
    out.flush();
    spec.commandLine().getErr().flush();
    return code;
  }

  /** What only the daemon knows, or that there is none. */
  private List<String> warnings(Progress progress) throws IOException {
    if (progress.phase() instanceof Phase.Finished) {
      return List.of();
    }
    boolean driven =
        OwnerLock.owner(state.directory().owner())
            .filter(o -> o.life() != OwnerLock.Owner.Life.DEAD)
            .isPresent();
    if (!driven) {
      return List.of("  no daemon drives it; wake one: nightsweep start");
    }
    try {
      Reply reply = state.client().ask(new Request.Sweeps(), Duration.ofMillis(300));
      return reply instanceof Reply.Hosting hosting
          ? warnings(hosting, progress.sweep(), Instant.now())
          : List.of();
    } catch (DaemonClient.NoDaemonException e) {
      return List.of("  its daemon gives no answer here; it may be starting, or on another host");
    }
  }

  private static List<String> warnings(Reply.Hosting hosting, String sweep, Instant now) {
    List<String> warnings = new ArrayList<>();
    for (Reply.Hosting.Sweep s : hosting.sweeps()) {
      if (s.id().equals(sweep)) {
        s.storageFailure()
            .ifPresent(
                e ->
                    warnings.add(
                        "  WAITS: its journal cannot be written (" + e + "); make room there"));
        Duration since = Duration.between(s.lastGoodTick(), now);
        if (since.compareTo(LATE) > 0) {
          warnings.add(
              "  LATE: the daemon last looked at it without an error "
                  + since.toMinutes()
                  + " min ago; daemon.log says why");
        }
      }
    }
    String broken = hosting.broken().get(sweep);
    if (broken != null) {
      warnings.add("  NOT DRIVEN: " + broken);
    }
    warnings.add("  " + hosting.chat());
    return warnings;
  }
}
