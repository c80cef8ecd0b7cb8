package io.nightsweep.workload.maxtext;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a job's log line that others put around what the program printed. */
final class Line {
  private static final Pattern ANSI = Pattern.compile("\u001b\\[[0-9;?]*[ -/]*[@-~]|\u001b\\(B|\r");
  private static final Pattern ACTOR =
      Pattern.compile("^\\s*\\(\\w{1,80} pid=(\\d{1,9})(?:, ip=([^)\\s]{1,64}))?\\) ?");
  private static final int MOST_DIGITS = 7;

  private Line() {}

  static String withoutAnsi(String text) {
    return text.indexOf('\u001b') < 0 && text.indexOf('\r') < 0
        ? text
        : ANSI.matcher(text).replaceAll("");
  }

  /**
   * @param rank that of {@code srun -l}, -1 where there is none
   * @param actor of Ray, as {@code pid@ip}; empty where there is none
   * @param rest what of the head is neither
   */
  record Head(int rank, String actor, String rest) {}

  /** Takes apart what stands before a word of interest. */
  static Head head(String text) {
    String plain = withoutAnsi(text);
    int start = 0;
    while (start < plain.length() && Character.isWhitespace(plain.charAt(start))) {
      start++;
    }
    int end = start;
    while (end < plain.length() && end - start < MOST_DIGITS && isDigit(plain.charAt(end))) {
      end++;
    }
    // By hand: every step of every rank comes here, and most have no actor.
    boolean hasRank = end > start && plain.startsWith(":", end);
    int rank = hasRank ? Integer.parseInt(plain, start, end, 10) : -1;
    int after = !hasRank ? 0 : plain.startsWith(" ", end + 1) ? end + 2 : end + 1;
    String left = plain.substring(after);
    Matcher m = ACTOR.matcher(left);
    if (left.indexOf('(') < 0 || !m.find()) {
      return new Head(rank, "", left);
    }
    String actor = m.group(1) + (m.group(2) == null ? "" : "@" + m.group(2));
    return new Head(rank, actor, left.substring(m.end()));
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
