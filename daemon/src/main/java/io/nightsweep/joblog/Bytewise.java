package io.nightsweep.joblog;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Translates patterns for an engine that treats each byte as a character. On UTF-8 text, the
 * original patterns would miss lines: in a log with a typographic apostrophe, the dot of {@code
 * couldn.t} covers three bytes.
 */
final class Bytewise {
  /** An element of a pattern, with its quantifier. */
  private static final Pattern ELEMENT =
      Pattern.compile(
          "(\\\\.|\\[\\^?\\]?(?:\\\\.|\\[:\\w+:\\]|[^\\]\\\\])*\\]|[\\s\\S])"
              + "(\\*|\\+|\\?|\\{(\\d+)(,?)(\\d*)\\})?");

  private static final Pattern WIDE =
      Pattern.compile("\\.|\\\\[SWD]|\\[\\^[\\s\\S]*|\\[(?:\\\\[^SWD]|[^\\\\])*\\\\[SWD][\\s\\S]*");

  private static final String LONG_CHARACTER = "[\\xc0-\\xff][\\x80-\\xbf]{1,3}";
  private static final int MOST_BYTES = 4;

  private Bytewise() {}

  /** Whether {@link #of} matches only those lines of ASCII that the pattern matches too. */
  static boolean isExactForAscii(String pattern) {
    Matcher m = ELEMENT.matcher(pattern);
    while (m.find()) {
      if (m.group(3) != null && WIDE.matcher(m.group(1)).matches()) {
        return false;
      }
    }
    return true;
  }

  /**
   * A pattern that matches the bytes wherever the original matches the encoded characters, and
   * rarely more.
   */
  static String of(String pattern) {
    StringBuilder bytes = new StringBuilder();
    Matcher m = ELEMENT.matcher(pattern);
    while (m.find()) {
      String quantifier = m.group(2) == null ? "" : m.group(2);
      bytes.append(
          !WIDE.matcher(m.group(1)).matches() || quantifier.equals("*") || quantifier.equals("+")
              ? m.group()
              : quantifier.startsWith("{")
                  ? m.group(1) + bounds(m)
                  : "(?:" + m.group(1) + "|" + LONG_CHARACTER + ")" + quantifier);
    }
    return bytes.toString();
  }

  private static String bounds(Matcher m) {
    boolean isOpen = !m.group(4).isEmpty() && m.group(5).isEmpty();
    String most = m.group(5).isEmpty() ? m.group(3) : m.group(5);
    return "{" + m.group(3) + "," + (isOpen ? "" : MOST_BYTES * Integer.parseInt(most)) + "}";
  }
}
