package io.nightsweep.bench;

/**
 * A measured time in seconds. {@link EstimatedTime} is a separate type, so that no ratio of a
 * measured and an estimated time can be formed.
 */
record MeasuredTime(double seconds) {
  /** This time divided by the other one. */
  double ratioTo(MeasuredTime other) {
    return seconds / other.seconds;
  }
}
