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

  /** Reference values: R 4.4, power.t.test(n, delta, sd, type = "two.sample"). */
  @ParameterizedTest
  @CsvSource({"4, 2, 0.6574", "6, 2, 0.8779", "10, 1, 0.5620"})
  void powerIsThatOfTheTTest(int runs, double effect, double power) {
    assertThat(Power.power(1, effect, runs, 0.05, 2 * runs - 2)).isCloseTo(power, within(0.012));
  }

  @Test
  void confirmationRunsReachTheirPower() {
    int runs = Power.confirmationRuns(0.008, 0.02, 0.95, 0.02, 20);
    assertThat(Power.power(0.008, 0.02, runs, 0.02, 20 + 2 * runs - 2)).isGreaterThan(0.95);
    assertThat(Power.power(0.008, 0.02, runs - 1, 0.02, 20 + 2 * runs - 4)).isLessThan(0.95);
  }
}
