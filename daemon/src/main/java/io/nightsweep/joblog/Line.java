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
 * @param number from 1, in its file, as an editor counts: a carriage return ends none
 * @param place from 1, in its file, where a carriage return ends one too
 * @param ordinal from 1, among all lines of the job in the order in which they were read
 * @param text with the prefix that tells its rank
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

  /** So much of that is the end of a long line: behind a command it says how that ended. */
  private static final int END_QUOTED = 80;

  /**
   * @param ofFile who writes the file, {@link Rank#NONE} where several do
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
        // Several processes of one task.
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

  /** The length of the label that {@code srun -l} puts before a line, such as {@code " 12: "}. */
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

  /** A flood of lines comes here, and an expression takes longer than a look at one character. */
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
   * Part of a long line and its end, the whole of a short one. Secrets are masked before the line
   * is cut, and cuts fall between words, so that no part of a secret is left beside one.
   *
   * @param around an offset in the body that must be in the quote of a long line
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

  /** Where the last words of a long line begin; its end where the last word alone is too long. */
  private static int end(String text) {
    int from = text.length() - END_QUOTED;
    int word = nextWord(text, from, text.length());
    return word == from && isOfAWord(text.charAt(from - 1)) && isOfAWord(text.charAt(from))
        ? text.length()
        : word;
  }

  /** The place after the word that is cut at {@code from}; {@code from} where it is too long. */
  private static int nextWord(String text, int from, int most) {
    int to = from;
    while (to > 0 && to < most && isOfAWord(text.charAt(to - 1)) && isOfAWord(text.charAt(to))) {
      to++;
    }
    return to < most ? to : from;
  }

  /** The place before the word that is cut at {@code to}; {@code to} where it is too long. */
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

  /** Keys, tokens and passwords are made of any of these. */
  private static boolean isOfAWord(char c) {
    return !Character.isWhitespace(c);
  }
}
