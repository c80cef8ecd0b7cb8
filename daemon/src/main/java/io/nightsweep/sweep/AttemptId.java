package io.nightsweep.sweep;

import java.util.Comparator;

/** One job of a trial, written {@code t0012a1}. */
public record AttemptId(TrialId trial, int attempt) implements Comparable<AttemptId> {
  private static final Comparator<AttemptId> ORDER =
      Comparator.comparing(AttemptId::trial).thenComparingInt(AttemptId::attempt);

  public static AttemptId parse(String text) {
    int a = text.indexOf('a');
    return new AttemptId(
        TrialId.parse(text.substring(0, a)), Integer.parseInt(text.substring(a + 1)));
  }

  /** The prefix of the names of all jobs of a sweep. */
  public static String jobNamesOf(String sweep) {
    return "ns-" + sweep + "-t";
  }

  public String jobName(String sweep) {
    return "ns-" + sweep + "-" + this;
  }

  @Override
  public int compareTo(AttemptId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return trial + "a" + attempt;
  }
}
