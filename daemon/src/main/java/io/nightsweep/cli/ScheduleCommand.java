package io.nightsweep.cli;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "schedule",
    mixinStandardHelpOptions = true,
    description = "Lists the starts that wait for their hour ('start --at'), or forgets one.")
final class ScheduleCommand implements Callable<Integer> {
  private static final DateTimeFormatter HOUR =
      DateTimeFormatter.ofPattern("EEEE yyyy-MM-dd HH:mm", Locale.ROOT);

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--remove", paramLabel = "ID", description = "Forget this start.")
  private Optional<Integer> remove = Optional.empty();

  static String hour(ZonedDateTime at) {
    return HOUR.format(at);
  }

  @Override
  public Integer call() throws IOException, CliException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    if (remove.isPresent()) {
      Background.ensure(state.directory(), out);
      Reply reply =
          state.client().ask(new Request.Unschedule(remove.get()), Duration.ofSeconds(60));
      if (reply instanceof Reply.Refused refused) {
        throw new CliException(ExitCode.REFUSED, "refused: " + refused.reason());
      }
      out.println("forgotten; a sweep that it has started goes on");
      out.flush();
      return ExitCode.OK;
    }
    List<ScheduledStart> starts = ScheduledStarts.of(state.directory());
    if (starts.isEmpty()) {
      out.println("no start is scheduled; schedule one: nightsweep start sweep.yaml --at 20:00");
    }
    for (ScheduledStart start : starts) {
      ZonedDateTime first = start.first().atZone(start.zone());
      out.println(
          "%d  %s  %s".formatted(start.id(), start.file(), hour(first))
              + (start.weekly() ? ", then every week" : ""));
      start
          .last()
          .ifPresent(
              last ->
                  out.println(
                      "   %s: %s%s"
                          .formatted(
                              hour(last.at().atZone(start.zone())),
                              last.succeeded() ? "" : "NOT STARTED: ",
                              Terminal.plain(last.said()))));
    }
    out.flush();
    return ExitCode.OK;
  }
}
