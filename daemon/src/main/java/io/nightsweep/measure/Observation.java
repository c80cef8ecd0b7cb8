package io.nightsweep.measure;

/**
 * One run that counts: its flags were attested, its metric was steady.
 *
 * @param profile which profile ran
 * @param control whether that profile is the baseline that all are compared with
 * @param stage what the run was made for
 * @param block runs of one window of time, with at least one control among them
 * @param configTag runs of different config tags are never compared
 * @param logMetric natural logarithm of the steady-state mean of a metric of which greater is
 *     better; the negated logarithm of one of which less is better
 * @param logStandardError of that mean within the run; NaN if unknown
 * @param startedAtSeconds on any clock that all runs share
 * @param strained whether a node that it ran on is known to have been slowed down meanwhile
 * @param brief whether it is one of the sweep's short runs, which are compared with these alone
 */
public record Observation(
    String profile,
    boolean control,
    Stage stage,
    String block,
    String configTag,
    double logMetric,
    double logStandardError,
    double startedAtSeconds,
    boolean strained,
    boolean brief) {

  /**
   * What a run was made for. Only confirmation runs can make a win, and only they are published.
   */
  public enum Stage {
    SCREENING,
    CONFIRMATION
  }

  /** A run with none of the optional details. */
  public Observation(
      String profile,
      boolean control,
      Stage stage,
      String block,
      String configTag,
      double logMetric,
      double logStandardError,
      double startedAtSeconds) {
    this(
        profile,
        control,
        stage,
        block,
        configTag,
        logMetric,
        logStandardError,
        startedAtSeconds,
        false,
        false);
  }

  public Observation {
    if (!Double.isFinite(logMetric) || !Double.isFinite(startedAtSeconds)) {
      throw new IllegalArgumentException(
          "a run of %s needs a finite metric and start, found %s and %s"
              .formatted(profile, logMetric, startedAtSeconds));
    }
  }

  /** The same run with another log metric. */
  Observation changed(double by) {
    return by == 0
        ? this
        : new Observation(
            profile,
            control,
            stage,
            block,
            configTag,
            logMetric + by,
            logStandardError,
            startedAtSeconds,
            strained,
            brief);
  }
}
