package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("verdicts")
class GroupSequentialTest {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** Bounds of the Pocock-like spending function at 0.05 and five equal steps, as in ldbounds. */
  @Test
  void itsBoundsAreThePublishedOnes() {
    assertThat(
            GroupSequential.nominalLevels(0.05, List.of(2, 4, 6, 8, 10), 10).stream()
                .map(level -> NORMAL.inverseSurvivalProbability(level / 2)))
        .usingElementComparator((a, b) -> Math.abs(a - b) < 0.002 ? 0 : Double.compare(a, b))
        .containsExactly(2.438, 2.4268, 2.4101, 2.3966, 2.3859);
  }

  @Test
  void oneLookAtAllRunsHasTheWholeLevel() {
    assertThat(GroupSequential.nominalLevels(0.03, List.of(7), 7).getFirst())
        .isCloseTo(0.03, within(1e-6));
  }

  /** A look's level does not depend on whether another one follows. */
  @Test
  void whatWasSaidStays() {
    assertThat(GroupSequential.nominalLevels(0.05, List.of(4, 6, 8), 10).subList(0, 2))
        .isEqualTo(GroupSequential.nominalLevels(0.05, List.of(4, 6), 10));
  }
}
