package io.nightsweep.sim;

/** The true effect of a profile. */
public sealed interface Response {
  Response NOTHING = new Gain(0);

  /**
   * It runs.
   *
   * @param logGain natural logarithm of the factor by which it improves on the baseline
   */
  record Gain(double logGain) implements Response {}

  /** It compiles to the baseline's program. */
  record Inert() implements Response {}

  /**
   * Every job of it fails.
   *
   * @param failureClass by its name in a playbook, such as {@code oom-gpu}
   * @param afterFraction of a whole job's time
   */
  record Fails(String failureClass, double afterFraction) implements Response {
    public Fails {
      if (!(afterFraction > 0 && afterFraction <= 1)) {
        throw new IllegalArgumentException(
            "expected a fraction above 0 and at most 1, found " + afterFraction);
      }
    }
  }
}
