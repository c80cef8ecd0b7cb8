package io.nightsweep.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = "Prints a completion script for bash and zsh: source <(nightsweep completion)")
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    spec.commandLine()
        .getOut()
        .print(
            AutoComplete.bash("nightsweep", spec.root().commandLine())
                // Where no option or command fits, the shell completes file names.
                .replaceAll("(?m)^(\\s*complete) -F ", "$1 -o default -F "));
    return ExitCode.OK;
  }
}
