package io.nightsweep.cli;

import io.nightsweep.engine.Request;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    description = "Lists the scheduled starts ('start --at'), or removes one.")
final class ScheduleCommand implements Callable<Integer> {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("EEEE yyyy-MM-dd HH:mm", Locale.ROOT);

  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Option(names = "--remove", paramLabel = "ID", description = "Forget this start.")
  private Optional<Integer> remove = Optional.empty();

  @Option(names = "--json", description = "One object on a line for each start.")
  private boolean json;

  /** A scheduled start as JSON; the last three fields describe its latest run. */
  private record ScheduledJson(
      int id,
      String file,
      Instant first,
      boolean weekly,
      Optional<Instant> last,
      Optional<Boolean> succeeded,
      Optional<String> said) {
    static ScheduledJson of(ScheduledStart start) {
      return new ScheduledJson(
          start.id(),
          start.file().toString(),
          start.first(),
          start.weekly(),
          start.last().map(ScheduledStart.StartOutcome::at),
          start.last().map(ScheduledStart.StartOutcome::succeeded),
          start.last().map(ScheduledStart.StartOutcome::said));
    }
  }

  static String hour(ZonedDateTime at) {
    return HOUR.format(at);
  }

  @Override
  public Integer call() throws IOException, CliException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (remove.isPresent()) {
      Background.ensure(state.directory(), out);
      CliException.ifRefused(
          state.client().ask(new Request.Unschedule(remove.get()), Duration.ofSeconds(60)));
      out.println("forgotten; a sweep that it has started goes on");
      return ExitCode.OK;
    }
    List<ScheduledStart> starts = ScheduledStarts.of(state.directory());
    if (json) {
      for (ScheduledStart start : starts) {
        out.println(Json.mapper().writeValueAsString(ScheduledJson.of(start)));
      }
      return ExitCode.OK;
    }
    if (starts.isEmpty()) {
      out.println("no start is scheduled; schedule one: nightsweep start sweep.yaml --at 20:00");
    }
    starts.stream().flatMap(start -> lines(start).stream()).forEach(out::println);
    return ExitCode.OK;
  }

  /** The start and its hour, then the result of its latest run. */
  private static List<String> lines(ScheduledStart start) {
    List<String> lines = new ArrayList<>();
    Instant next = start.next(Instant.now()).orElse(start.first());
    lines.add(
        "%d  %s  %s".formatted(start.id(), start.file(), hour(next.atZone(start.zone())))
            + (start.weekly() ? ", then every week" : ""));
    start
        .last()
        .ifPresent(
            last ->
                lines.add(
                    "   %s: %s%s"
                        .formatted(
                            hour(last.at().atZone(start.zone())),
                            last.succeeded() ? "" : "NOT STARTED: ",
                            Terminal.plain(last.said()))));
    return lines;
  }

  /** What a person who looks at the sweeps must know: coming starts, and refused ones. */
  static List<String> news(StateDirectory state) throws IOException {
    List<String> lines =
        ScheduledStarts.of(state).stream()
            .filter(start -> start.isWaiting() || start.isRefused())
            .flatMap(start -> lines(start).stream())
            .map("  "::concat)
            .collect(Collectors.toList());
    if (!lines.isEmpty()) {
      lines.addFirst("scheduled starts (nightsweep schedule --remove ID forgets one)");
    }
    return lines;
  }
}
