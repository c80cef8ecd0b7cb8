package io.nightsweep.workload.maxtext;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parts of a job's log line that others put around what the program printed. */
final class Line {
  private static final Pattern ANSI = Pattern.compile("\u001b\\[[0-9;?]*[ -/]*[@-~]|\u001b\\(B|\r");
  private static final Pattern RANK = Pattern.compile("^\\s*(\\d{1,7}): ?");
  private static final Pattern ACTOR =
      Pattern.compile("^\\s*\\((\\w{1,80}) pid=(\\d{1,9})(?:, ip=([^)\\s]{1,64}))?\\) ?");

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
    String left = withoutAnsi(text);
    int rank = -1;
    Matcher m = RANK.matcher(left);
    if (m.find()) {
      rank = Integer.parseInt(m.group(1));
      left = left.substring(m.end());
    }
    String actor = "";
    Matcher a = ACTOR.matcher(left);
    if (a.find()) {
      actor = a.group(2) + (a.group(3) == null ? "" : "@" + a.group(3));
      left = left.substring(a.end());
    }
    return new Head(rank, actor, left);
  }
}
