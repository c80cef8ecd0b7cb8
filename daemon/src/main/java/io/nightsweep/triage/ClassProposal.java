package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Proposes a playbook class, ready to paste, for a failure that no class recognises. Its signature
 * is the root line without the parts that differ between runs.
 */
public final class ClassProposal {
  /** The line prefix of Google's log libraries: severity, date, time, thread, source. */
  private static final Pattern GOOGLE =
      Pattern.compile("^[IWEF]\\d{4} [\\d:.]+ +\\d+ (?=\\S+:\\d+\\] )");

  private static final Pattern TIME =
      Pattern.compile("^\\[?\\d{4}-\\d\\d-\\d\\d[ T][\\d:.,]+Z?\\]?:? *");

  /** Parts that differ between runs, each with its replacement. */
  private static final Pattern VARIABLE =
      Pattern.compile(
          "(?<hex>0x[0-9a-fA-F]+)|(?<path>(?:/[\\w.+@=-]+){2,}+)|(?<quoted>'[^']{1,200}'|\"[^\"]{1,200}\")|(?<number>\\d+(?:\\.\\d+)*+)|(?<masked>\\*{3,})");

  private static final Pattern NAME = Pattern.compile("([A-Za-z][A-Za-z0-9]*(?:Error|Exception))");
  private static final Pattern WORD = Pattern.compile("[A-Za-z]{3,}");

  /** A line that reports an exception without its cause. */
  private static final String NO_CAUSE = "Traceback (most recent call last)";

  private static final int MOST_TEXT = 160;
  private static final int MOST_ID = 40;
  private static final int ID_WORDS = 4;

  private ClassProposal() {}

  /** Lines of YAML; empty if no quote of the diagnosis is suitable for a pattern. */
  public static Optional<String> of(Diagnosis diagnosis) {
    return diagnosis.quotes().stream()
        .findFirst()
        .map(ClassProposal::said)
        .filter(said -> WORD.matcher(said).find() && !said.startsWith(NO_CAUSE))
        .map(said -> yaml(said, diagnosis.quotes().getFirst()));
  }

  private static String yaml(String said, Quote quote) {
    return """
        classes:
          %s:
            about: (in one sentence, what it means and how to fix it)
            order: 50
            signatures:
              - {log: '%s', confidence: 0.9}
            # It is tried once more; a profile that fails in this way again is set aside, and the night goes on.
            remedy: {then: resubmit, limit: 1, scope: profile, consecutive: true, afterLimit: set-aside}
        # and among the playbook's samples:
        # %s:
        #   - log: "%s\\n"
        """
        .formatted(
            id(said),
            pattern(said).replace("'", "''"),
            id(said),
            quote.text().replace("\\", "\\\\").replace("\"", "\\\""));
  }

  private static String said(Quote quote) {
    String body = Line.of(Path.of(quote.file()), Rank.NONE, 1, 1, 1, quote.text()).body();
    String said =
        TIME.matcher(GOOGLE.matcher(body.strip()).replaceFirst("")).replaceFirst("").strip();
    String whole = said.endsWith("...") ? said.substring(0, said.length() - 3) : said;
    return whole.startsWith("...") ? whole.substring(3) : whole;
  }

  /** A pattern that matches the line and the corresponding line of another run. */
  private static String pattern(String said) {
    StringBuilder pattern = new StringBuilder();
    Matcher m = VARIABLE.matcher(said);
    int at = 0;
    while (at < said.length() && pattern.length() < MOST_TEXT) {
      int next = m.find(at) ? m.start() : said.length();
      escape(said.substring(at, next), pattern);
      if (next < said.length()) {
        pattern.append(
            m.group("hex") != null
                ? "0x[0-9a-fA-F]+"
                : m.group("path") != null
                    ? "/\\S+"
                    : m.group("quoted") != null
                        ? m.group().charAt(0)
                            + "[^"
                            + m.group().charAt(0)
                            + "]*"
                            + m.group().charAt(0)
                        : m.group("masked") != null ? "\\S+" : "[0-9.]+");
      }
      at = next < said.length() ? m.end() : next;
    }
    return pattern.toString();
  }

  private static void escape(String text, StringBuilder pattern) {
    String shown =
        text.length() > MOST_TEXT ? text.substring(0, text.lastIndexOf(' ', MOST_TEXT) + 1) : text;
    for (int i = 0; i < shown.length(); i++) {
      char c = shown.charAt(i);
      // Dollars and carets would anchor, so any character stands for them.
      pattern.append(
          c == '$' || c == '^' || c > '~' ? "." : "\\.[]{}()*+?|".indexOf(c) >= 0 ? "\\" + c : c);
    }
  }

  private static String id(String said) {
    Matcher name = NAME.matcher(said);
    String words =
        name.find()
            ? name.group(1).replaceAll("(?<=[a-z])(?=[A-Z])", "-")
            : WORD.matcher(said)
                .results()
                .limit(ID_WORDS)
                .map(MatchResult::group)
                .collect(Collectors.joining("-"));
    String id = words.toLowerCase(Locale.ROOT);
    return id.length() <= MOST_ID ? id : id.substring(0, MOST_ID).replaceAll("-[a-z0-9]*$", "");
  }
}
