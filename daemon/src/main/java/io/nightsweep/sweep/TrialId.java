package io.nightsweep.sweep;

/** A trial's number in its sweep, counted from 1 and written {@code t0012}. */
public record TrialId(int number) implements Comparable<TrialId> {
  public static TrialId parse(String text) {
    return new TrialId(Integer.parseInt(text.substring(1)));
  }

  public AttemptId attempt(int attempt) {
    return new AttemptId(this, attempt);
  }

  @Override
  public int compareTo(TrialId other) {
    return Integer.compare(number, other.number);
  }

  @Override
  public String toString() {
    String digits = Integer.toString(number);
    return "t" + "0".repeat(Math.max(0, 4 - digits.length())) + digits;
  }
}
