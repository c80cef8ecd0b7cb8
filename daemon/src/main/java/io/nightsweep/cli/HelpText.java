package io.nightsweep.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.UsageMessageSpec;

/**
 * Help text that is wrapped only between words; picocli breaks paths and file names at their dots.
 */
final class HelpText {
  private static final int MOST_COLUMNS = 80;

  /** A help width at which picocli wraps no line. */
  private static final int UNBROKEN = 2_000;

  private static final String HEADING = "Usage: ";

  /** A line with a name, a gap and its meaning. */
  private static final Pattern DESCRIBED = Pattern.compile("^ *\\S.*?\\s{2,}(?=\\S)");

  private HelpText() {}

  /**
   * @param terminal its columns, read when help is printed
   */
  static CommandLine foldedBy(CommandLine line, IntSupplier terminal) {
    line.setUsageHelpWidth(UNBROKEN);
    Map<String, IHelpSectionRenderer> sections = new LinkedHashMap<>(line.getHelpSectionMap());
    sections.replaceAll(
        (key, section) ->
            help -> {
              int columns = Math.min(MOST_COLUMNS, terminal.getAsInt());
              String text = section.render(help);
              return key.equals(UsageMessageSpec.SECTION_KEY_SYNOPSIS)
                  ? synopsis(text, help.commandSpec().qualifiedName(), columns)
                  : folded(text, columns);
            });
    return line.setHelpSectionMap(sections);
  }

  private static String synopsis(String text, String command, int columns) {
    String further = " ".repeat(HEADING.length() + command.length() + 1);
    return String.join("\n", Wrapped.line(HEADING + text.strip(), columns, further))
            .substring(HEADING.length())
        + "\n";
  }

  /** Wraps a line; further lines are indented to where the meaning begins. */
  private static String folded(String text, int columns) {
    List<String> lines = text.lines().toList();
    int meaning =
        lines.stream()
            .map(line -> DESCRIBED.matcher(Wrapped.uncoloured(line)))
            .filter(Matcher::find)
            .mapToInt(Matcher::end)
            .min()
            .orElse(0);
    return lines.stream()
            .flatMap(line -> Wrapped.line(line, columns, " ".repeat(meaning)).stream())
            .collect(Collectors.joining("\n"))
        + (text.endsWith("\n") ? "\n" : "");
  }
}
