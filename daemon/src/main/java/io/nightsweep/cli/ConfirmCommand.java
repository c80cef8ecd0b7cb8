package io.nightsweep.cli;

import io.nightsweep.agent.Asked;
import io.nightsweep.agent.AskedFor;
import io.nightsweep.agent.RefusedException;
import io.nightsweep.files.Plain;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "confirm",
    mixinStandardHelpOptions = true,
    description = {
      "Does what an assistant asked for, or denies it; without an id lists what waits.",
      "Only at a terminal: the answer is a person's."
    })
final class ConfirmCommand implements Callable<Integer> {
  private static final int LINES_SHOWN = 60;

  @Spec private CommandSpec spec;
  @Mixin private StateOptions state;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "Such as a3.")
  private Optional<String> id = Optional.empty();

  @Option(names = "--deny", description = "Say no.")
  private boolean deny;

  @Option(names = "--list", description = "All that was asked, answered or not.")
  private boolean all;

  @Option(names = "--by", paramLabel = "NAME", description = "Only of this assistant.")
  private @Nullable String by;

  @Option(names = "--json", description = "One object on a line for each.")
  private boolean json;

  /** A request as it is shown. */
  private record Shown(
      String asked, String assistant, String command, String stands, Instant until, String says) {}

  @Override
  public Integer call() throws IOException, CliException {
    AskedFor asked = new AskedFor(state.directory().root());
    if (id.isEmpty()) {
      list(asked);
      return ExitCode.OK;
    }
    try {
      return answer(asked, asked.confirmable(id.get(), Instant.now()));
    } catch (RefusedException e) {
      throw new CliException(ExitCode.REFUSED, "refused: " + e.getMessage());
    }
  }

  private int answer(AskedFor asked, Asked call) throws IOException, CliException {
    PrintWriter out = spec.commandLine().getOut();
    String who = System.getProperty("user.name", "unknown");
    if (!deny) {
      show(call, out);
      if (!Terminal.canAnswer()) {
        throw new CliException(
            ExitCode.REFUSED,
            "refused: a person confirms at a terminal; 'nightsweep confirm --deny "
                + call.id()
                + "' needs none");
      }
      boolean yes =
          Terminal.ask("Do it? Type " + call.id() + " to confirm:")
              .filter(said -> said.strip().equals(call.id()))
              .isPresent();
      if (!yes) {
        out.println("nothing was done; it waits until " + call.until());
        out.flush();
        return ExitCode.REFUSED;
      }
      return confirmed(asked, call, who);
    }
    asked.answer(call, new Asked.Answered(who, Instant.now(), false, "denied"));
    out.println(call.id() + " is denied");
    out.flush();
    return ExitCode.OK;
  }

  private int confirmed(AskedFor asked, Asked call, String who) throws IOException {
    StringWriter told = new StringWriter();
    PrintWriter both = new PrintWriter(told);
    int exit = Main.run(both, both, call.command().toArray(String[]::new));
    asked.answer(call, new Asked.Answered(who, Instant.now(), true, told.toString().strip()));
    spec.commandLine().getOut().print(told);
    spec.commandLine().getOut().flush();
    return exit;
  }

  private static void show(Asked call, PrintWriter out) throws IOException {
    out.printf("%s asks: nightsweep %s%n", call.assistant(), String.join(" ", call.command()));
    for (String file : call.digests().keySet()) {
      out.println(file + ":");
      try (var lines = Files.lines(Path.of(file))) {
        lines.limit(LINES_SHOWN).forEach(line -> out.println("  | " + Plain.text(line, 300)));
      }
    }
    out.flush();
  }

  private void list(AskedFor asked) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Instant now = Instant.now();
    List<Shown> shown =
        asked.all().stream()
            .filter(a -> by == null || a.assistant().equals(by))
            .filter(a -> all || a.stands(now).equals("waits"))
            .map(
                a ->
                    new Shown(
                        a.id(),
                        a.assistant(),
                        String.join(" ", a.command()),
                        a.stands(now),
                        a.until(),
                        a.answered().map(Asked.Answered::says).orElse("")))
            .toList();
    for (Shown s : shown) {
      out.println(
          json
              ? Json.mapper().writeValueAsString(s)
              : "%s  %s  %s: nightsweep %s"
                  .formatted(s.asked(), s.stands(), s.assistant(), s.command()));
    }
    if (shown.isEmpty() && !json) {
      out.println("no assistant waits for an answer");
    }
    out.flush();
  }
}
