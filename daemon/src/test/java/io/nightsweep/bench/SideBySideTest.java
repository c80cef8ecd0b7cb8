package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often an interval between two rounds' ratios contains their median. */
@Tag("kernels")
class SideBySideTest {
  /** By enumeration: every round lies below or above the median with equal chance. */
  @Test
  void coverageIsWhatEnumerationCounts() {
    for (int n = 1; n <= 12; n++) {
      for (int cut = 0; 2 * cut < n; cut++) {
        int holds = 0;
        for (int sides = 0; sides < 1 << n; sides++) {
          int below = Integer.bitCount(sides);
          holds += below > cut && n - below > cut ? 1 : 0;
        }
        assertThat(SideBySide.coverage(n, cut)).isEqualTo((double) holds / (1 << n));
      }
    }
  }

  @Test
  void fewRoundsAreNotCalledNinetyFivePerCent() {
    assertThat(SideBySide.coverage(3, 0)).isEqualTo(0.75);
    assertThat(SideBySide.coverage(5, 0)).isLessThan(0.95);
    assertThat(SideBySide.coverage(6, 0)).isGreaterThan(0.95);
    assertThat(SideBySide.coverage(10, 1)).isGreaterThan(0.95);
  }
}
