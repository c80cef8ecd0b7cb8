package io.nightsweep.measure;

/** The lower triangular factor L of a symmetric positive definite matrix L L'. */
final class Cholesky {

  private final double[][] lower;

  /**
   * @throws IllegalArgumentException if the matrix is not positive definite
   */
  Cholesky(double[][] matrix) {
    int n = matrix.length;
    lower = new double[n][];
    for (int i = 0; i < n; i++) {
      lower[i] = new double[i + 1];
      for (int j = 0; j <= i; j++) {
        double sum = matrix[i][j];
        for (int k = 0; k < j; k++) {
          sum -= lower[i][k] * lower[j][k];
        }
        if (i == j && !(sum > 0)) {
          throw new IllegalArgumentException("not positive definite at row " + i);
        }
        lower[i][j] = i == j ? Math.sqrt(sum) : sum / lower[j][j];
      }
    }
  }

  /** Solves L x = b. */
  double[] forward(double[] b) {
    double[] x = new double[b.length];
    for (int i = 0; i < b.length; i++) {
      double sum = b[i];
      for (int k = 0; k < i; k++) {
        sum -= lower[i][k] * x[k];
      }
      x[i] = sum / lower[i][i];
    }
    return x;
  }

  /** Solves L L' x = b. */
  double[] solve(double[] b) {
    double[] x = forward(b);
    for (int i = b.length - 1; i >= 0; i--) {
      double sum = x[i];
      for (int k = i + 1; k < b.length; k++) {
        sum -= lower[k][i] * x[k];
      }
      x[i] = sum / lower[i][i];
    }
    return x;
  }

  double logDeterminant() {
    double sum = 0;
    for (int i = 0; i < lower.length; i++) {
      sum += 2 * Math.log(lower[i][i]);
    }
    return sum;
  }
}
