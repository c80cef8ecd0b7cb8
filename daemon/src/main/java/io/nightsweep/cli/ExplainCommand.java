package io.nightsweep.cli;

import io.nightsweep.engine.FileDecisionLog;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import io.nightsweep.report.ComparedRuns;
import io.nightsweep.report.Subject;
import io.nightsweep.report.Words;
import io.nightsweep.sweep.Entry;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "explain",
    mixinStandardHelpOptions = true,
    description = "Tells what was decided, why, and which events led to it.")
final class ExplainCommand implements Callable<Integer> {
  /** Of a busy hour before a decision, the latest events are shown. */
  private static final int EVENTS_SHOWN = 5;

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Parameters(
      paramLabel = "ABOUT",
      arity = "0..1",
      description =
          "A trial (t0012), an attempt (t0012a1), a profile, a wave, or 'last' (default: everything).")
  private Optional<String> about = Optional.empty();

  @Option(names = "--last", description = "Only the last N (default: 20; 0: all).")
  private int last = 20;

  @Option(names = "--json", description = "One object on a line for each decision.")
  private boolean json;

  private record Happened(long seq, Instant at, String words) {}

  /** A decision as {@code --json} prints it. */
  private record Decided(
      Instant at, long seq, String decision, String because, List<Happened> after) {}

  @Override
  public Integer call() throws IOException, CliException {
    StateOptions.Chosen sweep = state.chosen();
    boolean onlyLast = about.filter("last"::equals).isPresent();
    Subject subject =
        onlyLast
            ? Subject.everything()
            : about.map(a -> Subject.of(sweep.state(), a)).orElseGet(Subject::everything);
    List<FileDecisionLog.Line> lines =
        FileDecisionLog.read(sweep.directory().decisions()).stream()
            .filter(l -> subject.isIn(Words.of(l.decision()) + " " + l.decision().because()))
            .toList();
    PrintWriter out = spec.commandLine().getOut();
    if (lines.isEmpty() && !json) {
      out.println("nothing was decided about " + about.orElse("this sweep"));
    }
    int shown = onlyLast ? 1 : last;
    int from = shown > 0 ? Math.max(0, lines.size() - shown) : 0;
    List<Happened> events = events(sweep, subject);
    long since = from > 0 ? lines.get(from - 1).seq() : 0;
    for (FileDecisionLog.Line l : lines.subList(from, lines.size())) {
      List<Happened> led = between(events, since, l.seq());
      if (json) {
        out.println(Json.mapper().writeValueAsString(decided(l, led)));
      } else {
        print(out, l, led);
      }
      since = l.seq();
    }
    about
        .filter(a -> !json)
        .flatMap(a -> ComparedRuns.profile(sweep.state(), a))
        .ifPresent(profile -> runs(out, profile, ComparedRuns.of(sweep.state(), profile)));
    out.flush();
    return ExitCode.OK;
  }

  private static void runs(PrintWriter out, String profile, List<String> lines) {
    if (!lines.isEmpty()) {
      out.printf("%nruns of %s, each against the baseline of its own time:%n", profile);
      lines.forEach(line -> out.println(Terminal.plain(line)));
    }
  }

  private static List<Happened> events(StateOptions.Chosen sweep, Subject subject)
      throws IOException {
    List<Happened> events = new ArrayList<>();
    JournalReader.read(
        sweep.directory().journal(),
        (Entry e) -> {
          String words = Words.of(e.event());
          if (subject.isIn(words)) {
            events.add(new Happened(e.seq(), e.at(), words));
          }
        });
    return events;
  }

  private static List<Happened> between(List<Happened> events, long after, long upTo) {
    List<Happened> led = events.stream().filter(e -> e.seq() > after && e.seq() <= upTo).toList();
    return led.subList(Math.max(0, led.size() - EVENTS_SHOWN), led.size());
  }

  private static Decided decided(FileDecisionLog.Line line, List<Happened> led) {
    return new Decided(
        line.at(), line.seq(), Words.of(line.decision()), line.decision().because(), led);
  }

  private static void print(PrintWriter out, FileDecisionLog.Line line, List<Happened> led) {
    for (Happened event : led) {
      out.printf("%s  #%d  %s%n", time(event.at()), event.seq(), Terminal.plain(event.words()));
    }
    out.printf(
        "%s  => %s%n           because %s%n",
        time(line.at()),
        Terminal.plain(Words.of(line.decision())),
        Terminal.plain(line.decision().because()));
  }

  private static String time(Instant at) {
    return at.toString().substring(0, 19).replace('T', ' ');
  }
}
