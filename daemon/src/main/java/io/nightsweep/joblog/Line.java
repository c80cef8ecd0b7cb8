package io.nightsweep.joblog;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a log, without colours.
 *
 * @param number from 1, in its file
 * @param ordinal from 1, among all lines of the job in the order in which they were read
 * @param text with the prefix that tells its rank
 * @param body without that prefix
 */
public record Line(Path file, long number, long ordinal, String text, String body, Rank rank) {
  /** {@code srun -l} writes {@code " 12: "}, Ray {@code "(Actor pid=1, ip=10.0.0.1) "}. */
  private static final Pattern PREFIX =
      Pattern.compile(
          "^(?:\\s{0,12}+(\\d{1,7}): )?+"
              + "(?:\\s*+\\([A-Za-z_][\\w.:-]{0,80}(?: pid=(\\d{1,10}))?(?:, ip=([0-9a-fA-F.:]{1,45}))?\\) ?)?+");

  private static final int MOST_QUOTED = 300;

  /**
   * @param ofFile who writes the file, {@link Rank#NONE} where several do
   * @param raw without colours
   */
  public static Line of(Path file, Rank ofFile, long number, long ordinal, String raw) {
    String text = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
    Matcher m = PREFIX.matcher(text);
    if (!m.lookingAt() || m.end() == 0) {
      return new Line(file, number, ordinal, text, text, ofFile);
    }
    return new Line(file, number, ordinal, text, text.substring(m.end()), rank(m, ofFile));
  }

  private static Rank rank(Matcher m, Rank ofFile) {
    String pid = m.group(2);
    String ip = m.group(3);
    String actor = pid == null ? "" : ip == null ? pid : pid + "@" + ip;
    int number = m.group(1) == null ? ofFile.number() : Integer.parseInt(m.group(1));
    return number < 0 && actor.isEmpty()
        ? ofFile
        : new Rank(number, actor.isEmpty() ? ofFile.actor() : actor);
  }

  /**
   * @param around an offset in the body that must be in the quote of a long line
   */
  public Quote quote(int around) {
    int at = around + text.length() - body.length();
    int from = text.length() <= MOST_QUOTED ? 0 : Math.max(0, at - MOST_QUOTED / 3);
    int to = Math.min(text.length(), from + MOST_QUOTED);
    StringBuilder shown = new StringBuilder(from > 0 ? "..." : "");
    text.substring(from, to)
        .codePoints()
        .map(c -> Character.isISOControl(c) || isSurrogate(c) ? ' ' : c)
        .forEach(shown::appendCodePoint);
    if (to < text.length()) {
      shown.append("...");
    }
    return new Quote(file.toString(), number, shown.toString().strip());
  }

  /** Half of a character, as where a quote begins in its midst. */
  private static boolean isSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
