package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.sweep.Measurement.MeasuredStep;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SteadyStateTest {

  private static final OptionalDouble NONE = OptionalDouble.empty();
  private static final Window WINDOW = new Window(9, 14);

  private static StepSeries series(int steps, IntToDoubleFunction value, IntToDoubleFunction loss) {
    return new StepSeries(
        IntStream.range(0, steps)
            .mapToObj(
                i ->
                    new MeasuredStep(
                        i, 25, value.applyAsDouble(i), OptionalDouble.of(loss.applyAsDouble(i))))
            .toList());
  }

  @Test
  void averagesTheWindowAlone() {
    StepSeries series = series(15, i -> i < 9 ? 1 : 1000 + i, i -> 10 - 0.1 * i);
    SteadyState state = SteadyState.of(series, WINDOW).orElseThrow();
    assertThat(state.mean()).isEqualTo(1011.5);
    assertThat(state.steps()).isEqualTo(6);
    assertThat(state.stepSeconds()).isEqualTo(25);
    assertThat(state.lastLoss()).hasValue(10 - 0.1 * 14);
    assertThat(state.nonFiniteLoss()).isFalse();
    assertThat(state.decay()).isLessThan(0.1);
  }

  @Test
  void isEmptyWithoutAStepInTheWindow() {
    assertThat(SteadyState.of(series(9, i -> 1000, i -> 1), WINDOW)).isEmpty();
    assertThat(SteadyState.of(series(15, i -> Double.NaN, i -> 1), WINDOW)).isEmpty();
  }

  /** These means cannot be compared, and the comparison would fail on them. */
  @Tag("guard")
  @Test
  void isEmptyWhereTheMeanIsNoPositiveNumber() {
    for (double value : new double[] {0, -0.0, -1, Double.MAX_VALUE}) {
      assertThat(SteadyState.of(series(15, i -> value, i -> 1), WINDOW)).as("%s", value).isEmpty();
    }
  }

  @Test
  void seesALossThatDiverges() {
    assertThat(
            SteadyState.of(series(15, i -> 1000, i -> i == 12 ? Double.NaN : 10), WINDOW)
                .orElseThrow()
                .nonFiniteLoss())
        .isTrue();
  }

  @Test
  void seesDecay() {
    SteadyState state =
        SteadyState.of(series(15, i -> 1000 - 30.0 * (i - 9), i -> 1), WINDOW).orElseThrow();
    assertThat(state.decay()).isCloseTo(0.122, within(0.001));
  }

  @Test
  void theFirstPrintOfAStepCounts() {
    StepSeries series =
        new StepSeries(
            List.of(
                new MeasuredStep(1, 1, 5, NONE),
                new MeasuredStep(0, 1, 4, NONE),
                new MeasuredStep(1, 1, 9, NONE)));
    assertThat(series.steps()).extracting(MeasuredStep::index).containsExactly(0, 1);
    assertThat(series.steps().get(1).value()).isEqualTo(5);
  }

  @Test
  void isNotSteadyWhileItClimbs() {
    assertThat(SteadyState.isSteady(series(13, i -> 600 + 30.0 * i, i -> 1), WINDOW)).isFalse();
    assertThat(SteadyState.isSteady(series(12, i -> 1000, i -> 1), WINDOW))
        .as("three steps are too few")
        .isFalse();
    assertThat(SteadyState.isSteady(series(13, i -> 1000 + i % 2, i -> 1), WINDOW)).isTrue();
  }

  @Test
  void standardErrorHoldsUnderAutocorrelation() {
    Random random = new Random(7);
    int covered = 0;
    int runs = 2000;
    for (int run = 0; run < runs; run++) {
      double[] wave = new double[100];
      for (int i = 1; i < wave.length; i++) {
        wave[i] = 0.6 * wave[i - 1] + random.nextGaussian();
      }
      SteadyState state =
          SteadyState.of(series(100, i -> 1000 + wave[i], i -> 1), new Window(10, 99))
              .orElseThrow();
      covered += Math.abs(state.mean() - 1000) < 1.96 * state.standardError() ? 1 : 0;
    }
    assertThat((double) covered / runs).isBetween(0.92, 0.97);
  }
}
