package io.nightsweep.triage;

import io.nightsweep.sweep.Diagnosis.Quote;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a log, without colours.
 *
 * @param number from 1
 * @param text with the prefix that tells its rank
 * @param body without
 * @param task the number before the line under {@code srun -l}, -1 where none
 */
record LogLine(Path file, long number, String text, String body, int task) {
  /** {@code srun -l} writes {@code " 12: "}, Ray {@code "(Actor pid=1, ip=10.0.0.1) "}. */
  private static final Pattern PREFIX =
      Pattern.compile(
          "^\\s{0,12}+(?:(\\d{1,7}): )?+\\s*+"
              + "(?:\\([A-Za-z_][\\w.:-]{0,80}(?: pid=\\d{1,10})?(?:, ip=[0-9a-fA-F.:]{1,45})?\\) ?)?+");

  private static final int MOST_QUOTED = 300;

  static LogLine of(Path file, long number, String raw) {
    String text = raw.endsWith("\r") ? raw.substring(0, raw.length() - 1) : raw;
    Matcher m = PREFIX.matcher(text);
    if (!m.lookingAt() || m.end() == 0) {
      return new LogLine(file, number, text, text, -1);
    }
    String task = m.group(1);
    return new LogLine(
        file, number, text, text.substring(m.end()), task == null ? -1 : Integer.parseInt(task));
  }

  /**
   * @param around an offset in the body that must be in the quote of a long line
   */
  Quote quote(int around) {
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
