package io.nightsweep.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.report.CautionText;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Progress;
import io.nightsweep.report.Remarks;
import io.nightsweep.report.Sentences;
import io.nightsweep.report.SetAside;
import io.nightsweep.report.ShortBudget;
import io.nightsweep.report.ToDeploy;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows how far the unfinished sweeps have come, or the latest; needs no daemon.")
final class StatusCommand implements Callable<Integer> {
  private static final Pattern NUMBERED = Pattern.compile("(.+)-([2-9]|[1-9]\\d{1,5})");

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Option(names = "--json", description = "The same as JSON, one object on a line for each sweep.")
  private boolean json;

  @Override
  public Integer call() throws IOException, CliException {
    PrintWriter out = spec.commandLine().getOut();
    Instant now = Instant.now();
    int code = ExitCode.OK;
    if (!json) {
      ScheduleCommand.news(state.directory()).forEach(out::println);
      out.flush();
    }
    for (SweepDirectory directory : state.candidates()) {
      try {
        SweepState read = StateOptions.open(directory).state();
        if (read.phase() instanceof Phase.NotStarted) {
          (json ? spec.commandLine().getErr() : out)
              .println(
                  Terminal.plain(
                      directory.id()
                          + ": no event can be read in "
                          + directory.journal()
                          + "; keep it until you know why"));
          code = ExitCode.FAILED;
          continue;
        }
        Progress progress = Progress.of(read, now);
        DaemonWord.Word word = new DaemonWord(state.directory()).about(progress);
        if (json) {
          out.println(Json.mapper().writeValueAsString(line(progress, word)));
          word.lines()
              .forEach(said -> spec.commandLine().getErr().println(directory.id() + ":" + said));
        } else {
          Stream.of(
                  Display.lines(progress, Display.whyHalted(read), word, now).stream(),
                  Stream.concat(
                          Remarks.misspelt(read, Phrases.EN, name -> "'" + name + "'").stream(),
                          Remarks.blind(read, Phrases.EN).stream())
                      .map(doubt -> Terminal.plain("  warning  " + doubt)),
                  Display.failures(read).stream(),
                  next(directory, read).stream(),
                  word.isWithoutDaemon() ? Stream.<String>empty() : word.lines().stream())
              .flatMap(lines -> lines)
              .map(Typeable.about(state.directory(), directory.id())::text)
              .forEach(out::println);
        }
      } catch (IOException e) {
        spec.commandLine().getErr().println(Terminal.plain(directory.id() + ": " + e.getMessage()));
        code = ExitCode.FAILED;
      }
    }
    out.flush();
    return code;
  }

  /** What a person can do after the end of the sweep. */
  private List<String> next(SweepDirectory directory, SweepState s) throws IOException {
    if (!s.isFinished()) {
      return List.of();
    }
    List<String> settings = ToDeploy.parts(directory.reports(), s);
    List<String> lines = new ArrayList<>();
    CautionText.ofWinner(s, Phrases.EN)
        .forEach(caution -> lines.add(Terminal.plain("  caution  " + caution)));
    ShortBudget.of(s).ifPresent(b -> lines.add("  " + b.sentence(Phrases.EN)));
    SetAside.sentence(s, Phrases.EN, name -> name).ifPresent(said -> lines.add("  " + said));
    lines.add("  next: nightsweep report");
    if (!settings.isEmpty()) {
      lines.add("  to deploy: " + String.join("; ", settings));
    } else {
      lines.add("  why a profile did not win: nightsweep explain PROFILE");
    }
    earlier(directory.id(), state.directory().all().stream().map(SweepDirectory::id).toList())
        .ifPresent(before -> lines.add("  nightsweep compare " + before + " " + directory.id()));
    return lines;
  }

  /** The earlier sweep of the same cell, by the number in the daemon's names. */
  private static Optional<String> earlier(String id, List<String> ids) {
    Matcher numbered = NUMBERED.matcher(id);
    return numbered.matches()
        ? Optional.of(Integer.parseInt(numbered.group(2)))
            .map(n -> numbered.group(1) + (n == 2 ? "" : "-" + (n - 1)))
            .filter(ids::contains)
        : Optional.empty();
  }

  /** Status as JSON: the published form has sentences in place of the state's causes. */
  private static ObjectNode line(Progress progress, DaemonWord.Word word) {
    ObjectNode line = Json.mapper().valueToTree(progress);
    ObjectNode daemon = line.putObject("daemon").put("care", word.care().name());
    ArrayNode says = daemon.putArray("says");
    word.lines().stream().map(String::strip).forEach(says::add);
    ObjectNode phase = (ObjectNode) line.get("phase");
    if (progress.phase() instanceof Phase.Halted halted) {
      phase.put("reason", Sentences.of(halted.cause(), Phrases.EN));
      phase.put("tried", Sentences.tried(halted.cause(), Phrases.EN)).remove("cause");
    }
    phase.remove("halted");
    for (int i = 0; i < progress.inFlight().size(); i++) {
      ((ObjectNode) line.get("inFlight").get(i))
          .put(
              "again",
              progress
                  .inFlight()
                  .get(i)
                  .again()
                  .map(why -> Phrases.EN.text(why.said()))
                  .orElse(null));
    }
    if (progress.phase() instanceof Phase.Finished finished) {
      phase.put("conclusion", Sentences.of(finished, Phrases.EN)).remove("ending");
    }
    return line;
  }
}
