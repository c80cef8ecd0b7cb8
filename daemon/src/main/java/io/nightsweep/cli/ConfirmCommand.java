package io.nightsweep.cli;

import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.InstantSource;
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
      "Does what an assistant asked for, or denies it; without an id, lists the open requests.",
      "Works only at a terminal, since a person has to answer."
    })
final class ConfirmCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(paramLabel = "ID", arity = "0..1", description = "Such as a3.")
  private Optional<String> id = Optional.empty();

  @Option(names = "--deny", description = "Say no.")
  private boolean deny;

  @Option(names = "--list", description = "All requests, answered or not.")
  private boolean all;

  @Option(names = "--by", paramLabel = "NAME", description = "Only of this assistant.")
  private @Nullable String by;

  @Option(names = "--json", description = "One object on a line for each.")
  private boolean json;

  /** A request in the form that is displayed. */
  private record AskedJson(
      String asked,
      String assistant,
      String command,
      String stands,
      Instant until,
      Optional<Integer> exit,
      List<String> says) {}

  @Override
  public Integer call() throws IOException, CliException, InterruptedException {
    AskedFor asked = new AskedFor(state.directory().root());
    if (id.isEmpty()) {
      list(asked);
      return ExitCode.OK;
    }
    try {
      return answer(new Confirming(asked, ConfirmCommand::run, InstantSource.system()), id.get());
    } catch (RefusedException e) {
      throw new CliException(ExitCode.REFUSED, "refused: " + e.getMessage());
    }
  }

  private int answer(Confirming confirming, String id)
      throws IOException, CliException, RefusedException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    String who = System.getProperty("user.name", "unknown");
    if (deny) {
      confirming.deny(id, who);
      out.println(id + " is denied");
      return ExitCode.OK;
    }
    AssistantRequest call = confirming.confirmable(id);
    out.println(call.assistant() + " asks: " + call.line());
    confirming.files(call).forEach(out::println);
    out.flush();
    if (!Terminal.canAnswer()) {
      throw new CliException(
          ExitCode.REFUSED,
          "refused: a person confirms at a terminal; 'nightsweep confirm --deny "
              + id
              + "' needs none");
    }
    boolean yes =
        Terminal.ask("Do it? Type " + id + " to confirm:")
            .filter(said -> said.strip().equals(id))
            .isPresent();
    if (!yes) {
      out.println("nothing was done; it waits until " + call.until());
      return ExitCode.REFUSED;
    }
    Commands.CommandResult outcome = confirming.confirm(id, who);
    out.print(outcome.out());
    return outcome.exit();
  }

  /** Runs in this process, so that the person sees any question of the command. */
  private static Commands.CommandResult run(List<String> arguments) {
    StringWriter told = new StringWriter();
    PrintWriter both = new PrintWriter(told);
    int exit = Main.run(both, both, arguments.toArray(String[]::new));
    return new Commands.CommandResult(exit, told.toString(), "");
  }

  private void list(AskedFor asked) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Instant now = Instant.now();
    List<AskedJson> shown =
        asked.all().stream()
            .filter(a -> by == null || a.assistant().equals(by))
            .filter(a -> all || a.isWaiting(now))
            .map(
                a ->
                    new AskedJson(
                        a.id(),
                        a.assistant(),
                        a.line(),
                        a.stands(now),
                        a.until(),
                        a.answered().flatMap(AssistantRequest.Answered::exit),
                        a.answered().map(x -> x.says().lines().toList()).orElse(List.of())))
            .toList();
    for (AskedJson s : shown) {
      out.println(
          json
              ? Json.mapper().writeValueAsString(s)
              : "%s  %s  %s: %s".formatted(s.asked(), s.stands(), s.assistant(), s.command()));
    }
    if (shown.isEmpty() && !json) {
      out.println("no assistant waits for an answer");
    }
    out.flush();
  }
}
