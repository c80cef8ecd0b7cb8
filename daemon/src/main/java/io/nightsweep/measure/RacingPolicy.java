package io.nightsweep.measure;

/**
 * The parameters of verdicts and racing. Gains are fractions: 0.02 is 2 %.
 *
 * @param familyWiseError chance of any false statement about any profile of the sweep
 * @param profiles how many profiles the sweep may test, on all config tags together
 * @param worthwhileGain the smallest gain that the sweep looks for
 * @param equivalenceMargin "neutral" means within plus or minus this
 * @param expectedNoise run-to-run noise to plan with before repeats have measured it
 * @param confirmationPower chance that a confirmation finds the gain that it was planned for
 * @param maxConfirmationRuns the most runs per arm that one plan may use
 * @param maxRunsPerProfile the most screening runs of one profile
 * @param blockSize candidates between two controls
 */
public record RacingPolicy(
    double familyWiseError,
    int profiles,
    double worthwhileGain,
    double equivalenceMargin,
    double expectedNoise,
    double confirmationPower,
    int maxConfirmationRuns,
    int maxRunsPerProfile,
    int blockSize) {

  /** The part of the error that fresh runs spend; the rest covers statements from screening. */
  private static final double CONFIRMATION_SHARE = 0.8;

  public RacingPolicy {
    if (!(familyWiseError > 0 && familyWiseError < 1) || profiles < 1 || !(worthwhileGain > 0)) {
      throw new IllegalArgumentException(
          "racing needs an error within (0, 1), a profile and a positive gain, found "
              + "%s, %s and %s".formatted(familyWiseError, profiles, worthwhileGain));
    }
  }

  public static RacingPolicy defaults(int profiles) {
    return new RacingPolicy(0.05, profiles, 0.01, 0.005, 0.008, 0.95, 10, 8, 8);
  }

  double worthwhileLogGain() {
    return Math.log1p(worthwhileGain);
  }

  /**
   * Error of fresh runs, both sides. A false win errs on one side only, so both sides together may
   * err twice as often.
   */
  double confirmationError() {
    return 2 * familyWiseError * CONFIRMATION_SHARE;
  }

  /** Error of screening for each profile, both sides (Bonferroni). */
  double screeningError() {
    return familyWiseError * (1 - CONFIRMATION_SHARE) / profiles;
  }

  /** The expected gain beyond this log-gain of a profile that has not run. */
  public double expectedAbove(double logGain) {
    return prior().expectedAbove(logGain);
  }

  /** One profile in twenty has a worthwhile effect, up to several times the worthwhile gain. */
  Prior prior() {
    return new Prior(0.05, worthwhileLogGain() / 8, 2.5 * worthwhileLogGain());
  }
}
