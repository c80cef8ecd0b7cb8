package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A proposed playbook class for a failure that no class recognises. Its signature is the root line
 * without the parts that differ between runs.
 *
 * @param sample the line
 */
public record ClassProposal(String id, String pattern, String sample) {
  /** Above those of all packed classes. */
  public static final int ORDER = 95;

  /** What launchers say of the processes that they started. */
  private static final Pattern ENDED =
      Pattern.compile(
          "(?i)\\bexit(?:s|ed)? with (?:(?:exit|return|error) )?(?:code|status)\\b|\\bexit ?code"
              + " *[:=] *-?\\d");

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

  /**
   * Empty if no quote of the diagnosis is suitable for a pattern.
   *
   * @param isEcho whether a line, without its rank, only reports a failure elsewhere
   */
  public static Optional<ClassProposal> of(Diagnosis diagnosis, Predicate<String> isEcho) {
    for (Quote quote : diagnosis.quotes()) {
      String said = said(quote);
      if (!isEcho.test(said) && !ENDED.matcher(said).find()) {
        return WORD.matcher(said).find() && !said.contains(NO_CAUSE)
            ? Optional.of(new ClassProposal(id(said), pattern(said), quote.text()))
            : Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * Lines of YAML with all proposals, each pattern once.
   *
   * @param taken ids of other classes
   * @param samplesFile where their samples belong
   */
  public static String yaml(
      List<ClassProposal> proposals, Collection<String> taken, String samplesFile) {
    Set<String> ids = new HashSet<>(taken);
    Set<String> patterns = new HashSet<>();
    StringBuilder classes = new StringBuilder("classes:\n");
    StringBuilder samples = new StringBuilder();
    for (ClassProposal proposal : proposals) {
      if (patterns.add(proposal.pattern)) {
        String id = free(proposal.id, ids);
        ids.add(id);
        classes.append(proposal.yaml(id));
        samples.append(
            "# %s:\n#   - log: \"%s\\n\"\n"
                .formatted(id, proposal.sample.replace("\\", "\\\\").replace("\"", "\\\"")));
      }
    }
    return classes
        + "# and into "
        + samplesFile
        + ", which 'nightsweep playbook test' reads:\n"
        + samples;
  }

  private String yaml(String freeId) {
    return """
      %s:
        about: (in one sentence, what it means and how to fix it)
        # After all other classes: it may name only what none of them knows.
        order: %d
        # From a confidence of 0.7 on, a remedy may also halt the sweep or drop the profile at once.
        signatures:
          - {log: '%s', confidence: 0.6}
        # It is tried once more; a profile that fails in this way again is set aside, and the night goes on.
        remedy: {then: resubmit, limit: 1, scope: profile, consecutive: true, afterLimit: set-aside}
    """
        .formatted(freeId, ORDER, pattern.replace("'", "''"));
  }

  private static String free(String id, Collection<String> taken) {
    String free = id;
    for (int n = 2; taken.contains(free); n++) {
      String number = "-" + n;
      free = cut(id, MOST_ID - number.length()) + number;
    }
    return free;
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
    return cut(id, MOST_ID);
  }

  /** The words of the id that fit. */
  private static String cut(String id, int most) {
    return id.length() <= most ? id : id.substring(0, most).replaceAll("-[a-z0-9]*$", "");
  }
}
