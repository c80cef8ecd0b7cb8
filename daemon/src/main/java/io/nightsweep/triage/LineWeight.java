package io.nightsweep.triage;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.nightsweep.sweep.Recognition;
import java.util.List;
import java.util.Optional;

/** How much a line says about a failure, by its words: an error, a warning, or only a summary. */
final class LineWeight {
  /** The labels of lines that are worse than a warning. */
  private static final Pattern SEVERE = Pattern.compile("\\b(?:ERROR|FATAL|error|fatal):");

  private final Optional<Pattern> warnings;
  private final Optional<Pattern> summaries;

  /** The line that was judged last: it is asked about for each of its patterns. */
  private volatile JudgedLine latest = new JudgedLine("", false);

  private record JudgedLine(String line, boolean isWarning) {}

  LineWeight(Recognition recognition) {
    warnings = any(recognition.errors().warnings());
    summaries = any(recognition.echoes());
  }

  private static Optional<Pattern> any(List<String> expressions) {
    return expressions.stream()
        .map(e -> "(?:" + e + ")")
        .reduce((one, other) -> one + "|" + other)
        .map(Pattern::compile);
  }

  /**
   * Whether a line that looks like an error is only a warning, and not an error that quotes a
   * warning.
   */
  boolean isWarning(String line) {
    JudgedLine known = latest;
    if (!known.line.equals(line)) {
      known = new JudgedLine(line, beginsAsWarning(line));
      latest = known;
    }
    return known.isWarning;
  }

  private boolean beginsAsWarning(String line) {
    return warnings.map(w -> w.matcher(line)).filter(Matcher::find).stream()
        .anyMatch(warning -> !isError(line.substring(0, warning.start())));
  }

  /**
   * Whether a program marks the line as a warning and the pattern does not match the word for the
   * level. Lines of a kernel have a time but no level.
   */
  boolean isWarningBesides(Pattern pattern, String line) {
    Matcher said = pattern.matcher(line);
    return isWarning(line)
        && said.find()
        && warnings
            .map(w -> w.matcher(line))
            .filter(Matcher::find)
            .filter(w -> w.end() <= said.start() || said.end() <= w.start())
            .filter(w -> w.group().chars().anyMatch(Character::isLetter))
            .isPresent();
  }

  /**
   * Whether the line says only that something failed, and leaves the reason to other lines: a
   * summary, or a heading.
   */
  boolean isBareOfReasons(String line) {
    return FirstErrors.isHeading(line) || summaries.filter(s -> s.matcher(line).find()).isPresent();
  }

  private static boolean isError(String before) {
    return SEVERE.matcher(before).find();
  }
}
