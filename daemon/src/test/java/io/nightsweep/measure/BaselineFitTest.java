package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("hours")
class BaselineFitTest {
  private static final int NIGHTS = 2_000;

  /**
   * If a path passes through all runs, almost no noise is left and every interval is false. This
   * happens in one night of 2,000; without the penalty for wander it would be thirteen.
   */
  @Test
  void fewRunsAreSeldomExplainedByAPathThroughAllOfThem() {
    SplittableRandom random = new SplittableRandom(20);
    long collapsed =
        IntStream.range(0, NIGHTS).filter(night -> fit(random, 5).runDeviation() < 0.1).count();
    assertThat(collapsed).isLessThan(5);
  }

  /**
   * A fit of this many baseline runs with white noise of variance 1, one each quarter of an hour.
   */
  private static BaselineFit fit(SplittableRandom random, int runs) {
    double[] hours = new double[runs];
    double[] values = new double[runs];
    boolean[] whole = new boolean[runs];
    for (int run = 0; run < runs; run++) {
      hours[run] = 0.25 * run;
      values[run] = random.nextGaussian();
      whole[run] = true;
    }
    return BaselineFit.of(hours, values, new int[runs], 1, whole);
  }
}
