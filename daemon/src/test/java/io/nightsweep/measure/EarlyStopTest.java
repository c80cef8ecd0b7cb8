package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.Measurement.MeasuredStep;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EarlyStopTest {

  private static final Window WINDOW = new Window(5, 30);
  private static final Noise NOISE = new Noise(0.01, 0, 10, 0, 5);

  private static final Optional<Estimate> LOST = Optional.of(new Estimate(-0.1, 0.01, 2, 1));

  private static boolean stops(int steps, IntToDoubleFunction value, boolean greaterIsBetter) {
    StepSeries series =
        new StepSeries(
            IntStream.range(0, steps)
                .mapToObj(
                    i -> new MeasuredStep(i, 20, value.applyAsDouble(i), OptionalDouble.empty()))
                .toList());
    return EarlyStop.cause(
            series,
            WINDOW,
            (greaterIsBetter ? 1 : -1) * Math.log(1000),
            greaterIsBetter,
            NOISE,
            RacingPolicy.defaults(40),
            LOST)
        .isPresent();
  }

  @Test
  void aRunThatMayStraggleGoesOn() {
    for (double value : new double[] {900, 700}) {
      StepSeries series =
          new StepSeries(
              IntStream.range(0, 12)
                  .mapToObj(i -> new MeasuredStep(i, 20, value + i % 3, OptionalDouble.empty()))
                  .toList());
      Function<Optional<Estimate>, Optional<?>> cause =
          lost ->
              EarlyStop.cause(
                  series, WINDOW, Math.log(1000), true, NOISE, RacingPolicy.defaults(40), lost);
      assertThat(cause.apply(Optional.empty())).matches(c -> c.isPresent() == value < 800);
      assertThat(cause.apply(Optional.of(new Estimate(0.05, 0.01, 1, 2)))).isEmpty();
    }
  }

  @Test
  void stopsWhatIsFarBehind() {
    assertThat(stops(12, i -> 900 + i % 3, true)).isTrue();
    assertThat(stops(12, i -> 1100 + i % 3, false)).isTrue();
  }

  @Test
  void keepsWhatNoiseMayExplain() {
    assertThat(stops(12, i -> 960 + i % 3, true)).isFalse();
    assertThat(stops(12, i -> 1100 + i % 3, true)).isFalse();
  }

  @Test
  void neverStopsWhereNoControlHasTheLengthOfTheRun() {
    StepSeries series =
        new StepSeries(
            IntStream.range(0, 12)
                .mapToObj(i -> new MeasuredStep(i, 20, 100 + i % 3, OptionalDouble.empty()))
                .toList());
    assertThat(
            EarlyStop.cause(
                series, WINDOW, Double.NaN, true, NOISE, RacingPolicy.defaults(40), LOST))
        .isEmpty();
  }

  @Test
  void neverStopsWhatIsNotSteadyYet() {
    assertThat(stops(8, i -> 900, true)).as("three steps of the window").isFalse();
    assertThat(stops(12, i -> 500 + 30.0 * i, true)).as("still climbing").isFalse();
  }
}
