package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;

/** What can be said about a profile, with the interval of its log-ratio and the number of runs. */
public sealed interface Verdict {

  Interval interval();

  int runs();

  /** Better than the baseline in fresh confirmation runs; only these are counted. */
  record Win(Interval interval, int runs) implements Verdict {}

  /** Worse than the baseline. */
  record Loss(Interval interval, int runs) implements Verdict {}

  /**
   * Equivalent to the baseline: within plus or minus the margin.
   *
   * @param margin a fraction: 0.005 is 0.5 %
   */
  record Neutral(Interval interval, int runs, double margin) implements Verdict {}

  /** The runs so far do not decide. */
  record Undecided(Interval interval, int runs) implements Verdict {}

  /**
   * Computes something else: its loss differs from the baseline's. Speed does not compensate for
   * that.
   */
  record Unsafe(Cause.OtherResult why, Interval interval, int runs) implements Verdict {}
}
