package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowTest {

  @ParameterizedTest(name = "skip {0}, capture {1}, of {2} steps: {3}..{4}")
  @CsvSource({
    "0, 0, 15, 5, 14",
    "5, 3, 15, 9, 14",
    "10, 3, 15, 5, 9",
    "10, 3, 50, 14, 49",
    "0, 3, 15, 5, 14",
    "20, 3, 15, 5, 14",
    "7, 3, 15, 11, 14"
  })
  void leavesOutWhatTheProfilerDisturbs(int skip, int capture, int steps, int from, int to) {
    assertThat(Window.fromProfiler(skip, capture, steps)).isEqualTo(new Window(from, to));
  }

  @Test
  void refusesARunWithoutACleanStep() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Window.fromProfiler(0, 0, 5))
        .withMessageContaining("warms up");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Window.fromProfiler(5, 9, 15))
        .withMessageContaining("give the run more steps");
  }

  @Property
  void neverOverlapsTheCaptureOrTheWarmUp(
      @ForAll @IntRange(max = 60) int skip,
      @ForAll @IntRange(min = 1, max = 10) int capture,
      @ForAll @IntRange(min = 30, max = 80) int steps) {
    Window window = Window.fromProfiler(skip, capture, steps);
    assertThat(window.from()).isGreaterThanOrEqualTo(Window.FIRST_WARM_STEP);
    assertThat(window.to()).isLessThan(steps);
    assertThat(window.to() < skip || window.from() > skip + capture).isTrue();
  }
}
