package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The influence of the previous run is estimated from the blocks, and subtracted from the fresh
 * runs.
 */
@Tag("hours")
class CarryOverTest {
  private static final double NOISE = 0.005;

  @Test
  void aCandidateThatGainsByItsPlaceAloneIsCorrectedAndDoesNotWin() {
    Comparison comparison = Comparison.of(night(0.02, 3));
    assertThat(comparison.carryOver().ontoCandidates()).isCloseTo(0.02, within(0.007));
    assertThat(comparison.carryOver().ontoControls()).isZero();
    Confirmation fresh =
        Confirmation.all(comparison, List.of(new ConfirmationPlan("p", 10)), 0.08, 10).getFirst();
    assertThat(fresh.wins()).isFalse();
    assertThat(fresh.logGain()).isCloseTo(0, within(0.008));
  }

  /** The correction is an estimate: its error comes on top of the noise. */
  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7})
  void aCorrectedIntervalIsWiderThanItsNoiseMakesIt(long seed) {
    assertThat(widthByNoise(0.02, seed)).isGreaterThan(widthByNoise(0, seed));
  }

  private static double widthByNoise(double carried, long seed) {
    Comparison comparison = Comparison.of(night(carried, seed));
    Interval fresh =
        Confirmation.all(comparison, List.of(new ConfirmationPlan("p", 10)), 0.08, 10)
            .getFirst()
            .interval();
    return (fresh.high() - fresh.low()) / comparison.noise().total();
  }

  @Test
  void withoutItNothingIsShownButByChance() {
    long shown =
        IntStream.range(0, 200)
            .filter(seed -> Comparison.of(night(0, seed)).carryOver().isShown())
            .count();
    assertThat(shown).isLessThanOrEqualTo(14);
  }

  /** Ten fresh runs per arm in blocks of both orders, after twenty profiles that ran once. */
  private static List<Observation> night(double carried, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<String> order = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      order.add(i % 5 == 2 ? "baseline" : "s" + i);
    }
    BlockOrder.confirmation("p", "baseline", 10, seed).forEach(order::addAll);
    List<Observation> runs = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      boolean control = order.get(i).equals("baseline");
      boolean after = i > 0 && order.get(i - 1).equals("baseline");
      runs.add(
          new Observation(
              order.get(i),
              control,
              i < 20 ? Observation.Stage.SCREENING : Observation.Stage.CONFIRMATION,
              "b" + (i < 20 ? i / 5 : i / 4),
              "",
              (after && !control ? carried : 0) + NOISE * random.nextGaussian(),
              Double.NaN,
              600.0 * i));
    }
    return runs;
  }
}
