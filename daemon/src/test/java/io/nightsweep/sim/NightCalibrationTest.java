package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The claim, for whole nights through the engine and the conductor: a declared winner is one, and a
 * real one is found. Forty profiles, 0.8 % noise with t4 tails, random and linear drift.
 */
@Tag("verdicts")
@Tag("slow")
class NightCalibrationTest {

  /** At a true rate of 5 %, more than 6 of 40 have a chance of 0.3 %. */
  @Test
  void nothingWinsWhereNothingIs() {
    ManyNights nights = ManyNights.simulate(0, 4, 100, 40);
    assertThat(nights.falseWins()).as(nights.toString()).isLessThanOrEqualTo(6);
  }

  /** At a true power of 90 %, fewer than 24 of 32 have a chance of 0.4 %. */
  @Test
  void twoPercentAmongFortyIsFoundWithinAHundredJobs() {
    ManyNights nights = ManyNights.simulate(0.02, 4, 100, 32);
    assertThat(nights.trueWins()).as(nights.toString()).isGreaterThanOrEqualTo(24);
    assertThat(Math.abs(nights.bias())).as(nights.toString()).isLessThan(0.003);
  }

  @Test
  @Tag("night")
  void tenThousandNightsWithoutAnEffect() {
    ManyNights none = ManyNights.told("no effect, 100 jobs", 0, 4, 100, 10_000, 250);
    assertThat(none.falseWins()).as(none.toString()).isLessThanOrEqualTo(500);
  }

  @Test
  @Tag("night")
  void powerByJobs() {
    for (int jobs : new int[] {100, 150, 50}) {
      ManyNights one = ManyNights.told("one +2 %, " + jobs + " jobs", 0.02, 4, jobs, 1_000, 100);
      if (jobs >= 100) {
        assertThat(one.trueWins()).as(one.toString()).isGreaterThanOrEqualTo(900);
        assertThat(Math.abs(one.bias())).as(one.toString()).isLessThan(0.001);
      }
    }
  }
}
