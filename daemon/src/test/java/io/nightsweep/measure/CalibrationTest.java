package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The claim: a declared winner is one, and a real one is found. Forty profiles, 0.8 % noise, drift,
 * t4 tails.
 */
@Tag("verdicts")
@Tag("slow")
class CalibrationTest {

  private static final RacingPolicy POLICY = RacingPolicy.defaults(40);

  private static SimulatedNight.World world(double gain, int tails) {
    return world(gain, tails, i -> 1.0);
  }

  /** One candidate in so many is three times as noisy as the baseline. */
  private static SimulatedNight.World rough(double gain, int tails, int oneIn) {
    return world(gain, tails, i -> i % oneIn == 0 ? 3.0 : 1.0);
  }

  private static SimulatedNight.World world(double gain, int tails, IntFunction<Double> roughness) {
    List<Double> effects =
        IntStream.range(0, 40).mapToObj(i -> i == 17 ? Math.log1p(gain) : 0.0).toList();
    return new SimulatedNight.World(
        effects, 0.008, IntStream.range(0, 40).mapToObj(roughness).toList(), tails, 0.001, 0.01);
  }

  @Test
  void nothingWinsWhereNothingIs() {
    Nights nights = Nights.simulate(world(0, 4), POLICY, 100, 100);
    assertThat(nights.falseWins()).as(nights.toString()).isLessThanOrEqualTo(5);
  }

  /**
   * At a true rate of 5 %, more than 12 of 100 have a chance of 0.15 %; at one of 20 %, fewer have
   * one of 3 %.
   */
  @ParameterizedTest(name = "one candidate in {0} is three times as noisy as the baseline")
  @ValueSource(ints = {1, 4})
  void nothingWinsWhereCandidatesAreNoisier(int oneIn) {
    Nights nights = Nights.simulate(rough(0, 4, oneIn), POLICY, 100, 100);
    assertThat(nights.falseWins()).as(nights.toString()).isLessThanOrEqualTo(12);
  }

  @Test
  void twoPercentAmongFortyIsFoundWithinAHundredJobs() {
    Nights nights = Nights.simulate(world(0.02, 4), POLICY, 100, 100);
    assertThat(nights.trueWins()).as(nights.toString()).isGreaterThanOrEqualTo(80);
    assertThat(Math.abs(nights.bias())).as(nights.toString()).isLessThan(0.002);
  }

  @Tag("night")
  @ParameterizedTest(name = "one candidate in {0} is three times as noisy as the baseline")
  @ValueSource(ints = {1, 4, 20})
  void manyNightsWithNoisierCandidates(int oneIn) {
    Nights none = Nights.simulate(rough(0, 4, oneIn), POLICY, 100, 4_000);
    System.out.printf(Locale.ROOT, "one in %d rough, no effect: %s%n", oneIn, none);
    assertThat(none.falseWins()).isLessThanOrEqualTo(200);
  }

  @Test
  @Tag("night")
  void tenThousandNights() {
    for (int tails : new int[] {0, 4, 3}) {
      String noise = tails == 0 ? "normal noise" : "t" + tails + " noise";
      Nights none = Nights.simulate(world(0, tails), POLICY, 100, 10_000);
      System.out.printf(Locale.ROOT, "%s, no effect, 100 jobs: %s%n", noise, none);
      assertThat(none.falseWins()).isLessThanOrEqualTo(500);
      assertThat(none.falseClaims()).isLessThanOrEqualTo(500);
      for (int budget : new int[] {50, 75, 100, 150}) {
        Nights one = Nights.simulate(world(0.02, tails), POLICY, budget, 10_000);
        System.out.printf(Locale.ROOT, "%s, one +2 %%, %d jobs: %s%n", noise, budget, one);
        if (budget >= 100) {
          assertThat(one.trueWins()).isGreaterThanOrEqualTo(9_000);
          assertThat(Math.abs(one.bias())).isLessThan(0.001);
        }
      }
    }
  }
}
