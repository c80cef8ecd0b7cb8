package io.nightsweep.joblog;

import io.nightsweep.files.Masking;
import io.nightsweep.files.Unseen;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a log, without colours.
 *
 * @param number from 1, in its file, as editors count: a carriage return does not end a line
 * @param place from 1, in its file, if a carriage return also ends a line
 * @param ordinal from 1, among all lines of the job in the order in which they were read
 * @param text with the prefix that names its rank
 * @param body without that prefix
 */
public record Line(
    Path file, long number, long place, long ordinal, String text, String body, Rank rank) {
  /** Ray writes {@code "(Actor pid=1, ip=10.0.0.1) "}. */
  private static final Pattern ACTOR =
      Pattern.compile(
          "\\s*+\\([A-Za-z_][\\w.:-]{0,80}(?: pid=(\\d{1,10}))?(?:, ip=([0-9a-fA-F.:]{1,45}))?\\) ?");

  /**
   * PyTorch writes {@code "[rank12]: "} or {@code "[default3]:"}, mpirun {@code "[1,12]<stderr>:"}.
   */
  private static final Pattern TORCH =
      Pattern.compile(
          "\\[(?:(?:rank|default)(\\d{1,7})\\]: ?|\\d{1,5},(\\d{1,7})\\]<std(?:out|err|diag)>: ?)");

  private static final int MOST_PADDING = 12;
  private static final int MOST_DIGITS = 7;

  private static final int MOST_QUOTED = 480;

  /**
   * This many characters of a quote come from the end of a long line; after a command, the end
   * shows its result.
   */
  private static final int END_QUOTED = 80;

  /**
   * @param ofFile the only rank that writes the file; {@link Rank#NONE} if several do
   * @param raw without colours
   */
  public static Line of(Path file, Rank ofFile, long number, long place, long ordinal, String raw) {
    String text = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
    int label = label(text);
    int task = label == 0 ? ofFile.number() : number(text, label);
    int at = label;
    String actor = ofFile.actor();
    if (label < text.length() && text.charAt(label) == '[') {
      Matcher m = TORCH.matcher(text).region(label, text.length());
      if (m.lookingAt()) {
        at = m.end();
        String of = m.group(1) == null ? m.group(2) : m.group(1);
        // Several processes belong to one task.
        actor = task < 0 ? actor : "rank " + of;
        task = task < 0 ? Integer.parseInt(of) : task;
      }
    } else if (mayHaveActor(text, label)) {
      Matcher m = ACTOR.matcher(text).region(label, text.length());
      if (m.lookingAt()) {
        at = m.end();
        String pid = m.group(1);
        String ip = m.group(2);
        actor = pid == null ? actor : ip == null ? pid : pid + "@" + ip;
      }
    }
    Rank rank =
        at == 0 || (task == ofFile.number() && actor.equals(ofFile.actor()))
            ? ofFile
            : new Rank(task, actor);
    return new Line(file, number, place, ordinal, text, at == 0 ? text : text.substring(at), rank);
  }

  /** The length of the label that {@code srun -l} prints before a line, such as {@code " 12: "}. */
  private static int label(String text) {
    int start = 0;
    while (start < MOST_PADDING && start < text.length() && text.charAt(start) == ' ') {
      start++;
    }
    int end = start;
    while (end - start < MOST_DIGITS && end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end > start && text.startsWith(": ", end) ? end + 2 : 0;
  }

  private static int number(String text, int label) {
    return Integer.parseInt(text.substring(0, label - 2).strip());
  }

  /**
   * Checks one character first, since this is called for floods of lines and a regular expression
   * takes longer.
   */
  private static boolean mayHaveActor(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) <= ' ') {
      at++;
    }
    return at < text.length() && text.charAt(at) == '(';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /**
   * The whole of a short line, or a part of a long line and its end. Secrets are masked before the
   * line is cut, and cuts fall between words, so that no part of a secret remains at a cut.
   *
   * @param around an offset in the body; the quote of a long line must contain it
   */
  public Quote quote(int around) {
    int inText = around + text.length() - body.length();
    String safe = Masking.of(text);
    int at =
        safe.equals(text)
            ? inText
            : Math.min(Masking.of(text.substring(0, inText)).length(), safe.length());
    int from =
        safe.length() <= MOST_QUOTED ? 0 : nextWord(safe, Math.max(0, at - MOST_QUOTED / 3), at);
    boolean reachesTheEnd = from + MOST_QUOTED >= safe.length();
    int most = reachesTheEnd ? safe.length() : from + MOST_QUOTED - END_QUOTED;
    int to = lastWord(safe, most, at);
    StringBuilder shown = new StringBuilder(from > 0 ? "..." : "");
    shown.append(Unseen.onOneLine(safe.substring(from, to)));
    if (to < safe.length()) {
      shown.append("...").append(Unseen.onOneLine(safe.substring(end(safe))));
    }
    return new Quote(file.toString(), number, shown.toString().strip());
  }

  /** Where the last words of a long line begin; its end if the last word alone is too long. */
  private static int end(String text) {
    int from = text.length() - END_QUOTED;
    int word = nextWord(text, from, text.length());
    return word == from && isOfAWord(text.charAt(from - 1)) && isOfAWord(text.charAt(from))
        ? text.length()
        : word;
  }

  /**
   * The position after the word that is cut at {@code from}; {@code from} if the word is too long.
   */
  private static int nextWord(String text, int from, int most) {
    int to = from;
    while (to > 0 && to < most && isOfAWord(text.charAt(to - 1)) && isOfAWord(text.charAt(to))) {
      to++;
    }
    return to < most ? to : from;
  }

  /** The position before the word that is cut at {@code to}; {@code to} if the word is too long. */
  private static int lastWord(String text, int to, int least) {
    int from = to;
    while (from > least
        && from < text.length()
        && isOfAWord(text.charAt(from - 1))
        && isOfAWord(text.charAt(from))) {
      from--;
    }
    return from > least ? from : to;
  }

  /** The characters of which keys, tokens and passwords consist. */
  private static boolean isOfAWord(char c) {
    return !Character.isWhitespace(c);
  }
}
