package io.nightsweep.measure;

/**
 * One valid run: its flags were attested and its metric was steady.
 *
 * @param profile which profile ran
 * @param control whether that profile is the baseline that all others are compared with
 * @param stage the purpose of the run
 * @param block runs of one window of time, with at least one control among them
 * @param configTag runs of different config tags are never compared
 * @param logMetric natural logarithm of the steady-state mean of the metric; negated if less is
 *     better
 * @param logStandardError of that mean within the run; NaN if unknown
 * @param startedAtSeconds on any clock that all runs share
 * @param strained whether one of its nodes is known to have been slowed down during the run
 * @param brief whether it is one of the sweep's short runs, which are compared only with each other
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

  /** The purpose of a run. Only confirmation runs can make a win, and only they are published. */
  public enum Stage {
    SCREENING,
    CONFIRMATION
  }

  /** A run without the optional details. */
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

  /** The same run with its log metric changed. */
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
