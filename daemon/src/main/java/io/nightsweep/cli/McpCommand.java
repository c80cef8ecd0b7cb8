package io.nightsweep.cli;

import io.nightsweep.agent.Grants;
import io.nightsweep.agent.McpDoor;
import io.nightsweep.agent.Seat;
import io.nightsweep.asked.Commands;
import io.nightsweep.engine.Version;
import io.nightsweep.journal.Redaction;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "mcp",
    mixinStandardHelpOptions = true,
    description = {
      "Serves an assistant over standard input and output, by the Model Context Protocol.",
      "It may read everything; 'nightsweep grant' says what else it may do."
    })
final class McpCommand implements Callable<Integer> {
  private static final Duration LONGEST = Duration.ofSeconds(90);

  @Mixin private StateFolder state;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description =
          "The assistant's name, under which a person grants (default: ${DEFAULT-VALUE}).",
      defaultValue = "assistant")
  private String name = "assistant";

  @Override
  public Integer call() throws CliException, InterruptedException {
    if (!Grants.isName(name)) {
      throw new CliException(
          ExitCode.USAGE,
          "--as " + name + ": expected letters, digits, '.', '-' or '_', at most 40");
    }
    OutputStream protocol = System.out;
    // Other output of a command must not get between the protocol's messages.
    System.setOut(new PrintStream(System.err, true, StandardCharsets.UTF_8));
    McpDoor.serve(
        new Seat(
            name,
            state.directory().root(),
            McpCommand::run,
            Redaction.of(System.getenv()),
            InstantSource.system()),
        Version.current(),
        System.in,
        protocol);
    return ExitCode.OK;
  }

  private static Commands.CommandResult run(List<String> arguments) throws InterruptedException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    AtomicInteger exit = new AtomicInteger(ExitCode.FAILED);
    Thread command =
        Thread.ofVirtual()
            .start(
                () ->
                    exit.set(
                        Main.run(
                            new PrintWriter(out),
                            new PrintWriter(err),
                            arguments.toArray(String[]::new))));
    if (!command.join(LONGEST)) {
      command.interrupt();
      return new Commands.CommandResult(
          ExitCode.FAILED, "", "no answer within " + LONGEST.toSeconds() + " s");
    }
    return new Commands.CommandResult(exit.get(), out.toString(), err.toString());
  }
}
