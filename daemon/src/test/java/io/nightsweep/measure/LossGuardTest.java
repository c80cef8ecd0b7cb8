package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LossGuardTest {

  private static SteadyState run(OptionalDouble loss, boolean nonFinite) {
    return new SteadyState(1000, 25, 6, 6, 1, 0, loss, nonFinite);
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
        .hasValueSatisfying(reason -> assertThat(reason).contains("11.40", "10.01"));
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
}
