package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;

/** What can be said of a profile, with the interval of its log-ratio and the runs behind it. */
public sealed interface Verdict {

  Interval interval();

  int runs();

  /** Better than the baseline, in fresh confirmation runs, which alone are counted here. */
  record Win(Interval interval, int runs) implements Verdict {}

  /** Worse than the baseline. */
  record Loss(Interval interval, int runs) implements Verdict {}

  /**
   * Equivalent to the baseline: within plus or minus the margin.
   *
   * @param margin a fraction: 0.005 is 0.5 %
   */
  record Neutral(Interval interval, int runs, double margin) implements Verdict {}

  /** The runs so far do not tell. */
  record Undecided(Interval interval, int runs) implements Verdict {}

  /** Changes what is computed: its loss is not the baseline's. No speed makes up for that. */
  record Unsafe(Cause.OtherResult why, Interval interval, int runs) implements Verdict {}
}
