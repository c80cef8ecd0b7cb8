package io.nightsweep.cli;

import io.nightsweep.plan.Nearest;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a wrong command line and suggests the name that was probably meant. */
final class Misspelt implements IParameterExceptionHandler {
  /** Options that the launcher also accepts before the command. */
  private static final List<String> BEFORE_A_COMMAND = List.of("--state", "--sweep", "--cluster");

  private final List<Class<?>> commands;

  Misspelt(List<Class<?>> commands) {
    this.commands = List.copyOf(commands);
  }

  @Override
  public int handleParseException(ParameterException e, String[] arguments) {
    CommandLine line = e.getCommandLine();
    PrintWriter err = line.getErr();
    Optional<String> command = command(e, line);
    if (command.isPresent()) {
      List<String> names =
          commands.stream().map(c -> c.getAnnotation(Command.class).name()).toList();
      err.println("there is no command '" + command.get() + "'" + nearest(command.get(), names));
      err.println("All of them: nightsweep help");
    } else if (line.getParent() == null && e instanceof UnmatchedArgumentException u) {
      String option = u.getUnmatched().getFirst();
      err.println("there is no option '" + option + "'" + nearest(option, BEFORE_A_COMMAND));
      err.println("Options of a command: nightsweep help COMMAND");
    } else {
      err.println(said(e));
      UnmatchedArgumentException.printSuggestions(e, err);
      if (e instanceof MissingParameterException
          && line.getCommandSpec().userObject() instanceof TriageCommand) {
        err.println("The output of another command: ... | nightsweep triage -");
      }
      err.println("How to use it: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    err.flush();
    return ExitCode.USAGE;
  }

  /** The word that should be a command: the first one, or the one after {@code help}. */
  private static Optional<String> command(ParameterException e, CommandLine line) {
    if (line.getParent() != null) {
      return Optional.empty();
    }
    return e instanceof UnmatchedArgumentException u
        ? u.getUnmatched().stream().limit(1).filter(word -> !word.startsWith("-")).findFirst()
        : Optional.ofNullable(e.getArgSpec() == null ? e.getValue() : null);
  }

  /** picocli's message without Java class names. */
  private static String said(ParameterException e) {
    if (e.getArgSpec() == null || e.getValue() == null) {
      return String.valueOf(e.getMessage());
    }
    Class<?> type = e.getArgSpec().auxiliaryTypes()[0];
    String found = e.getArgSpec().isOption() ? ((OptionSpec) e.getArgSpec()).longestName() : "";
    found = (found + " '" + e.getValue() + "'").strip();
    if (type.isEnum()) {
      List<String> valid =
          Stream.of(type.getEnumConstants())
              .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
              .toList();
      return found + ": expected one of " + String.join(", ", valid) + nearest(e.getValue(), valid);
    }
    if (type == LocalTime.class) {
      return found + ": expected an hour of the day, such as 20:00 or 07:30";
    }
    if (type == Path.class) {
      return noPath(found);
    }
    return Number.class.isAssignableFrom(type) || type.isPrimitive()
        ? found + ": expected a number"
        : String.valueOf(e.getMessage());
  }

  /** The message for a file name that Java cannot represent in the locale. */
  static String noPath(String name) {
    return name
        + ": this locale has no such letters in a file's name; set one that does: export"
        + " LC_ALL=C.UTF-8";
  }

  private static String nearest(String word, List<String> valid) {
    return Nearest.question(word, valid).orElse("");
  }
}
