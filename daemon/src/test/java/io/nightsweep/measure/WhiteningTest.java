package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WhiteningTest {

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.01, 1, 30})
  void isTheInverseOfTheCholeskyFactorOfTheCovariance(double wander) {
    Random random = new Random(1);
    int n = 25;
    double[] hours = new double[n];
    double[] values = new double[n];
    for (int i = 0; i < n; i++) {
      // Some runs start at the same moment.
      hours[i] = i == 0 ? 0 : hours[i - 1] + (i % 4 == 0 ? 0 : random.nextDouble());
      values[i] = random.nextGaussian();
    }
    double[][] covariance = new double[n][n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        covariance[i][j] = wander * Math.min(hours[i], hours[j]) + (i == j ? 1 : 0);
      }
    }
    Cholesky cholesky = new Cholesky(covariance);
    Whitening whitening = new Whitening(hours, wander);
    assertThat(whitening.apply(values)).containsExactly(cholesky.forward(values), within(1e-9));
    assertThat(whitening.logDeterminant()).isCloseTo(cholesky.logDeterminant(), within(1e-9));
  }
}
