package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerTest {

  @ParameterizedTest
  @CsvSource({"0.005, 1, 4", "0.005, 40, 9", "0.01, 1, 16", "0.01, 40, 34"})
  void runsPerArmAgreeWithTheTextbook(double noise, int arms, int runs) {
    assertThat(Power.runsPerArm(noise, 0.01, 0.8, 0.05, arms)).isEqualTo(runs);
  }

  /** Reference values: the noncentral t distribution, integrated numerically. */
  @ParameterizedTest
  @CsvSource({"4, 2, 0.6569", "6, 2, 0.8764", "10, 1, 0.5620"})
  void powerIsThatOfTheTTest(int runs, double effect, double power) {
    assertThat(Power.power(1, effect, runs, 0.05, 2 * runs - 2)).isCloseTo(power, within(0.012));
  }

  @Test
  void confirmationRunsReachTheirPower() {
    int runs = Power.confirmationRuns(0.008, 0.02, 0.95, 0.02, 20);
    assertThat(Power.power(0.008, 0.02, runs, 0.02, 20 + 2 * runs - 2)).isGreaterThan(0.95);
    assertThat(Power.power(0.008, 0.02, runs - 1, 0.02, 20 + 2 * runs - 4)).isLessThan(0.95);
  }

  /**
   * Gains, in units of the noise, that were found in 80 % of simulated nights (400 nights a point).
   */
  @ParameterizedTest(name = "{0} profiles, {1} jobs")
  @CsvSource({
    "8, 30, 3.02",
    "20, 60, 2.26",
    "40, 60, 3.46",
    "40, 75, 2.59",
    "40, 100, 1.93",
    "40, 250, 1.60",
    "80, 150, 2.09"
  })
  void smallestDetectableGainAgreesWithSimulatedNights(int profiles, int jobs, double sigmas) {
    double gain = Power.smallestDetectableGain(0.008, profiles, jobs, 8).orElseThrow();
    assertThat(Math.log1p(gain) / 0.008 / sigmas).isBetween(0.875, 1.125);
  }

  @Test
  void tooFewJobsDetectNothing() {
    assertThat(Power.smallestDetectableGain(0.008, 40, 50, 8)).isEmpty();
  }
}
