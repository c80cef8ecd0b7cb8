package io.nightsweep.cli;

import io.nightsweep.plan.Nearest;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Names the command that a mistyped one was probably meant to be. */
final class Misspelt implements IParameterExceptionHandler {
  private final List<Class<?>> commands;

  Misspelt(List<Class<?>> commands) {
    this.commands = List.copyOf(commands);
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    Optional<String> command =
        line.getParent() == null && e instanceof UnmatchedArgumentException u
            ? u.getUnmatched().stream().filter(word -> !word.startsWith("-")).findFirst()
            : Optional.empty();
    if (command.isPresent()) {
      List<String> names =
          commands.stream().map(c -> c.getAnnotation(Command.class).name()).toList();
      err.println(
          "there is no command '"
              + command.get()
              + "'"
              + Nearest.to(command.get(), names)
                  .map(n -> "; did you mean '" + n + "'?")
                  .orElse(""));
      err.println("All of them: nightsweep help");
    } else {
      err.println(e.getMessage());
      UnmatchedArgumentException.printSuggestions(e, err);
      err.println("How it is used: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    err.flush();
    return ExitCode.USAGE;
  }
}
