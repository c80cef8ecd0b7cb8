package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Measurement.MeasuredStep;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LossGuardTest {

  private static SteadyState run(OptionalDouble loss, boolean nonFinite) {
    return new SteadyState(1000, 25, 6, 1, 0, loss, nonFinite);
  }

  @Test
  void aLossThatIsNoNumberIsUnsafeWhateverTheBaseline() {
    assertThat(LossGuard.unsafe(run(OptionalDouble.empty(), true), List.of())).isPresent();
  }

  @Test
  void aLossBesideTheBaselinesIsUnsafe() {
    List<Double> baseline = List.of(10.01, 10.02, 10.00);
    assertThat(LossGuard.unsafe(run(OptionalDouble.of(10.05), false), baseline)).isEmpty();
    assertThat(LossGuard.unsafe(run(OptionalDouble.of(11.4), false), baseline))
        .hasValueSatisfying(
            why ->
                assertThat(why)
                    .isInstanceOfSatisfying(
                        Cause.LossDiffers.class,
                        d -> {
                          assertThat(d.loss()).isEqualTo(11.4);
                          assertThat(d.baseline()).isCloseTo(10.01, within(1e-9));
                        }));
    assertThat(LossGuard.unsafe(run(OptionalDouble.of(8.9), false), baseline))
        .as("a lower loss after the same steps is another computation too")
        .isPresent();
  }

  @Test
  void aNoisyBaselineAllowsMore() {
    List<Double> baseline = List.of(10.0, 10.4, 9.6, 10.2, 9.8);
    assertThat(LossGuard.unsafe(run(OptionalDouble.of(10.9), false), baseline)).isEmpty();
  }

  @Test
  void withoutALossNothingIsUnsafe() {
    assertThat(LossGuard.unsafe(run(OptionalDouble.empty(), false), List.of(10.0))).isEmpty();
  }

  @Test
  void aRunOnRealDataTrainsWhereItsLossesDoNotRise() {
    assertThat(LossGuard.trains(losses(10, 9.5, 9.1, 8.8, 8.6, 8.5, 8.4))).isTrue();
    assertThat(LossGuard.trains(losses(4.02, 3.98, 4.01, 3.99, 4.00, 4.01)))
        .as("resumed from a checkpoint")
        .isTrue();
    assertThat(LossGuard.trains(losses(10, 9.5, 9.1, 9.9, 11, 13, 15))).isFalse();
    assertThat(LossGuard.trains(losses(10, 9, 8, Double.NaN, 7, 6, 5))).isFalse();
    assertThat(LossGuard.trains(losses(10, 9, 8))).as("too few to tell").isFalse();
    assertThat(LossGuard.trains(List.of())).as("none printed").isFalse();
  }

  private static List<MeasuredStep> losses(double... losses) {
    return IntStream.range(0, losses.length)
        .mapToObj(i -> new MeasuredStep(i, 25, 1000, OptionalDouble.of(losses[i])))
        .toList();
  }
}
