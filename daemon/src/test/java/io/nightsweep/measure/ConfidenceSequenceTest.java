package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfidenceSequenceTest {

  /** Looks after every run, for two hundred runs: a fixed-n interval would miss far more often. */
  @ParameterizedTest
  @ValueSource(doubles = {0.05, 0.2})
  void rarelyEverMissesTheTruth(double level) {
    Random random = new Random(5);
    int missed = 0;
    int sequences = 2000;
    for (int s = 0; s < sequences; s++) {
      double sum = 0;
      double squares = 0;
      for (int n = 1; n <= 200; n++) {
        double x = random.nextGaussian();
        sum += x;
        squares += x * x;
        if (n < 2) {
          continue;
        }
        double deviation = Math.sqrt((squares - sum * sum / n) / (n - 1));
        double reach =
            deviation / Math.sqrt(n) * ConfidenceSequence.standardErrors(level, 1.0 / n, n - 1);
        if (Math.abs(sum / n) > reach) {
          missed++;
          break;
        }
      }
    }
    assertThat((double) missed / sequences).isLessThanOrEqualTo(level);
  }

  @Test
  void saysNothingBeforeTheNoiseIsKnown() {
    assertThat(ConfidenceSequence.standardErrors(0.05, 1, 0)).isInfinite();
    assertThat(ConfidenceSequence.standardErrors(0.0002, 1, 2)).isInfinite();
  }

  @Test
  void narrowsWithKnowledge() {
    double few = ConfidenceSequence.standardErrors(0.001, 0.5, 8);
    double many = ConfidenceSequence.standardErrors(0.001, 0.5, 16);
    assertThat(many).isFinite().isLessThan(few);
  }
}
