package io.nightsweep.cli;

import io.nightsweep.engine.Version;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's manual page, in the {@code man} macros of groff_man(7). */
final class ManPage {
  private static final int INDENT = 4;
  private static final int WIDTH = 80;

  private ManPage() {}

  static String name(CommandSpec command) {
    return command.qualifiedName("-");
  }

  static String of(CommandSpec command) {
    StringBuilder page = new StringBuilder();
    page.append(
        ".TH \"%s\" 1 \"\" \"Nightsweep %s\"\n"
            .formatted(
                escaped(name(command).toUpperCase(Locale.ROOT)), escaped(Version.current())));
    page.append(".SH NAME\n%s \\- %s\n".formatted(escaped(name(command)), description(command)));
    page.append(".SH SYNOPSIS\n%s\n".formatted(synopsis(command)));
    page.append(".SH DESCRIPTION\n%s\n".formatted(description(command)));
    arguments(command, page);
    if (!command.subcommands().isEmpty()) {
      page.append(".SH COMMANDS\n");
      for (CommandLine sub : ManCommand.visible(command.commandLine())) {
        page.append(
            ".TP\n.BR %s (1)\n%s\n"
                .formatted(escaped(name(sub.getCommandSpec())), description(sub.getCommandSpec())));
      }
    }
    String[] footer = command.root().usageMessage().footer();
    page.append(".SH NOTES\n%s\n".formatted(lines(footer)));
    return page.toString();
  }

  /** The page as man(1) shows it on a terminal, without markup. */
  static String readable(CommandSpec command) {
    StringBuilder text = new StringBuilder();
    boolean isTerm = false;
    String indent = "";
    for (String line : of(command).lines().skip(1).toList()) {
      if (line.startsWith(".SH ")) {
        text.append(text.isEmpty() ? "" : "\n").append(line.substring(4)).append('\n');
        indent = " ".repeat(INDENT);
      } else if (line.equals(".TP")) {
        isTerm = true;
      } else {
        String words =
            line.replaceFirst("^\\.(?:I|BR) ", "")
                .replaceAll("\\\\f[BIR]|\\\\&", "")
                .replace("\\(aq", "'")
                .replace("\\-", "-")
                .replace("\\e", "\\");
        indent = " ".repeat(isTerm || indent.length() == INDENT ? INDENT : 2 * INDENT);
        Wrapped.line(indent + words, WIDTH, indent).forEach(part -> text.append(part).append('\n'));
        indent = " ".repeat(isTerm ? 2 * INDENT : INDENT);
        isTerm = false;
      }
    }
    return text.toString();
  }

  private static void arguments(CommandSpec command, StringBuilder page) {
    page.append(".SH OPTIONS\n");
    for (PositionalParamSpec parameter : command.positionalParameters()) {
      if (!parameter.hidden()) {
        page.append(".TP\n.I %s\n%s\n".formatted(escaped(parameter.paramLabel()), text(parameter)));
      }
    }
    for (OptionSpec option : command.options()) {
      if (!option.hidden()) {
        String names =
            Arrays.stream(option.names())
                .map(n -> "\\fB" + escaped(n) + "\\fR")
                .collect(Collectors.joining(", "));
        String value =
            option.arity().max() > 0 ? " \\fI" + escaped(option.paramLabel()) + "\\fR" : "";
        page.append(".TP\n%s%s\n%s\n".formatted(names, value, text(option)));
      }
    }
  }

  private static String synopsis(CommandSpec command) {
    return escaped(
        new Help(command, Help.defaultColorScheme(Help.Ansi.OFF))
            .synopsis(0)
            .strip()
            .replaceAll("\\s+", " "));
  }

  private static String description(CommandSpec command) {
    return lines(command.usageMessage().description());
  }

  private static String text(ArgSpec argument) {
    String text =
        String.join(" ", argument.description())
            .replace("${COMPLETION-CANDIDATES}", candidates(argument));
    return text.isBlank() ? "\\&" : escaped(text.strip());
  }

  private static String candidates(ArgSpec argument) {
    return argument.completionCandidates() == null
        ? ""
        : String.join(", ", argument.completionCandidates());
  }

  private static String lines(String[] lines) {
    return escaped(String.join(" ", lines).strip());
  }

  private static String escaped(String text) {
    String plain = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    return plain.startsWith(".") ? "\\&" + plain : plain;
  }
}
