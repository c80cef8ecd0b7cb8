package io.nightsweep.measure;

/**
 * Repeated profiles around one wandering baseline: {@code y = m[arm] + w(t) + e}, with e of
 * variance s² and w a Brownian path from 0 of variance {@code wander} s² per hour, fitted by
 * generalised least squares. Arm 0 is the control.
 *
 * <p>The wander is chosen by restricted maximum likelihood, which does not mistake the degrees of
 * freedom that the arms' means use up for quietness (Patterson and Thompson 1971), less {@code
 * log(1 + wander)}: few runs are explained by a path that passes through all of them, and noise
 * that is taken for wander makes every interval too narrow. Between controls the fitted path
 * interpolates (kriging), so that each run is compared with the baseline of its own time, and near
 * controls weigh more than far ones.
 */
final class BaselineFit {

  private static final double[] WANDER_PER_RUN = {0.003, 0.01, 0.03, 0.1, 0.3, 1, 10};

  private final double[] hours;
  private final double wander;
  private final Whitening whitening;
  private final double[][] whiteDesign;
  private final Cholesky information;
  private final double[] means;
  private final double[] whitePathResidual;
  private final double residualSquares;
  private final int degreesOfFreedom;
  private final double logPosterior;

  private BaselineFit(double[] hours, double[] values, int[] arms, int armCount, double wander) {
    int n = values.length;
    this.hours = hours;
    this.wander = wander;
    this.degreesOfFreedom = n - armCount;
    whitening = new Whitening(hours, wander);
    double[] white = whitening.apply(values);
    whiteDesign = new double[armCount][];
    for (int arm = 0; arm < armCount; arm++) {
      double[] column = new double[n];
      for (int i = 0; i < n; i++) {
        column[i] = arms[i] == arm ? 1 : 0;
      }
      whiteDesign[arm] = whitening.apply(column);
    }
    double[][] m = new double[armCount][armCount];
    double[] right = new double[armCount];
    for (int a = 0; a < armCount; a++) {
      right[a] = dot(whiteDesign[a], white);
      for (int b = 0; b < armCount; b++) {
        m[a][b] = dot(whiteDesign[a], whiteDesign[b]);
      }
    }
    information = new Cholesky(m);
    means = information.solve(right);
    whitePathResidual = white.clone();
    for (int a = 0; a < armCount; a++) {
      for (int i = 0; i < n; i++) {
        whitePathResidual[i] -= whiteDesign[a][i] * means[a];
      }
    }
    residualSquares = dot(whitePathResidual, whitePathResidual);
    logPosterior =
        -0.5
                * (degreesOfFreedom * Math.log(Math.max(residualSquares, 1e-300))
                    + whitening.logDeterminant()
                    + information.logDeterminant())
            - Math.log1p(wander);
  }

  /**
   * The likeliest fit.
   *
   * @param hours since the first run, ascending
   * @param arms 0 for a control, then 1, 2, ... without gaps
   */
  static BaselineFit of(double[] hours, double[] values, int[] arms, int armCount) {
    double span = hours[hours.length - 1];
    double hoursPerRun = span > 0 ? span / (hours.length - 1) : 1;
    BaselineFit best = new BaselineFit(hours, values, arms, armCount, 0);
    if (best.degreesOfFreedom < 2) {
      return best;
    }
    for (double step : WANDER_PER_RUN) {
      BaselineFit fit = new BaselineFit(hours, values, arms, armCount, step / hoursPerRun);
      best = fit.logPosterior > best.logPosterior ? fit : best;
    }
    return best;
  }

  /**
   * The baseline at a time.
   *
   * @param value of the log metric
   * @param variance of its error, in units of one run's variance
   */
  record Baseline(double value, double variance) {}

  Baseline at(double hour) {
    double[] covariances = new double[hours.length];
    for (int i = 0; i < hours.length; i++) {
      covariances[i] = wander * Math.min(hours[i], hour);
    }
    double[] white = whitening.apply(covariances);
    double[] gap = new double[means.length];
    for (int arm = 0; arm < means.length; arm++) {
      gap[arm] = (arm == 0 ? 1 : 0) - dot(whiteDesign[arm], white);
    }
    double variance = wander * hour - dot(white, white) + dot(gap, information.solve(gap));
    return new Baseline(means[0] + dot(white, whitePathResidual), Math.max(0, variance));
  }

  /** Log-ratio of an arm to the control. */
  double effect(int arm) {
    return means[arm] - means[0];
  }

  /** Variance of {@link #effect}, in units of one run's variance. */
  double effectVariance(int arm) {
    double[] contrast = new double[means.length];
    contrast[arm] += 1;
    contrast[0] -= 1;
    return dot(contrast, information.solve(contrast));
  }

  int degreesOfFreedom() {
    return degreesOfFreedom;
  }

  /** Standard deviation of one run around the baseline; NaN without degrees of freedom. */
  double runDeviation() {
    return degreesOfFreedom > 0 ? Math.sqrt(residualSquares / degreesOfFreedom) : Double.NaN;
  }

  /** Wander in an hour, as a standard deviation; 0 while the noise is unknown. */
  double driftPerRootHour() {
    return degreesOfFreedom > 0 ? runDeviation() * Math.sqrt(wander) : 0;
  }

  double driftRange() {
    var levels = java.util.Arrays.stream(hours).map(hour -> at(hour).value()).summaryStatistics();
    return levels.getMax() - levels.getMin();
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
