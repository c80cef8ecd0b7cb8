package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Ticks have round values and equal distances, and no two have the same label. */
@Tag("people")
class AxisTest {
  @Test
  void aSweepOf24SecondsIsToldInSeconds() {
    Axis.TimeUnit unit = Axis.TimeUnit.of(24);
    assertThat(unit.name()).isEqualTo("seconds");
    assertThat(labels(0, 24 / unit.seconds())).containsExactly("0", "5", "10", "15", "20");
  }

  @Test
  void aNightIsToldInHours() {
    Axis.TimeUnit unit = Axis.TimeUnit.of(8.2 * 3600);
    assertThat(labels(0, 8.2 * 3600 / unit.seconds()))
        .containsExactly("0", "1", "2", "3", "4", "5", "6", "7", "8");
  }

  @Test
  void gainsHaveTheSameDecimalsAndNoPowersOfTen() {
    Axis large = Axis.of(1500 + 4000, 9);
    assertThat(large.ticks(-4000, 1500).stream().map(large::signed))
        .containsExactly("-4000", "-3000", "-2000", "-1000", "0", "+1000");
    Axis small = Axis.of(2, 9);
    assertThat(small.ticks(-1, 1).stream().map(small::signed))
        .containsExactly("-1.0", "-0.5", "0.0", "+0.5", "+1.0");
  }

  private static List<String> labels(double low, double high) {
    Axis axis = Axis.of(high - low, 9);
    return axis.ticks(low, high).stream().map(axis::label).toList();
  }
}
