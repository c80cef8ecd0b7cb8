package io.nightsweep.measure;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Fits repeated profiles around one drifting baseline: {@code y = m[arm] + w(t) + e}, with e of
 * variance s² and w a Brownian path from 0 of variance {@code wander} s² per hour, by generalised
 * least squares. Arm 0 is the control. Where there are short runs beside whole ones, whole runs get
 * one more constant, so that the difference between a short run and a whole one does not affect the
 * arms.
 *
 * <p>The wander maximises the restricted likelihood, which accounts for the degrees of freedom that
 * the arms' means use up (Patterson and Thompson 1971), less {@code log(1 + wander)}. This penalty
 * is needed since a path through all points explains a few runs perfectly, and noise mistaken for
 * wander makes every interval too narrow. Between controls the fitted path interpolates (kriging),
 * so that each run is compared with the baseline of its own time, and near controls weigh more than
 * far ones.
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
  private final boolean hasBoth;
  private final int degreesOfFreedom;
  private final double logPosterior;

  /** The baseline at the time of each run, once it was asked for; whole runs follow short ones. */
  private final @Nullable Baseline[] atRuns;

  private BaselineFit(
      double[] hours, double[] values, int[] arms, int armCount, boolean[] whole, double wander) {
    int n = values.length;
    this.hours = hours;
    this.wander = wander;
    atRuns = new Baseline[2 * n];
    hasBoth = hasBoth(whole);
    int columns = hasBoth ? armCount + 1 : armCount;
    this.degreesOfFreedom = n - columns;
    whitening = new Whitening(hours, wander);
    double[] white = whitening.apply(values);
    whiteDesign = new double[columns][];
    for (int c = 0; c < columns; c++) {
      double[] column = new double[n];
      for (int i = 0; i < n; i++) {
        column[i] = (c < armCount ? arms[i] == c : whole[i]) ? 1 : 0;
      }
      whiteDesign[c] = whitening.apply(column);
    }
    double[][] m = new double[columns][columns];
    double[] right = new double[columns];
    for (int a = 0; a < columns; a++) {
      right[a] = dot(whiteDesign[a], white);
      for (int b = 0; b < columns; b++) {
        m[a][b] = dot(whiteDesign[a], whiteDesign[b]);
      }
    }
    information = new Cholesky(m);
    means = information.solve(right);
    whitePathResidual = white.clone();
    for (int a = 0; a < columns; a++) {
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
   * The fit of greatest likelihood.
   *
   * @param hours since the first run, ascending
   * @param arms 0 for a control, then 1, 2, ... without gaps
   * @param whole whether each run is a whole one; if some are short, there must be a short control
   *     and a whole one
   */
  static BaselineFit of(
      double[] hours, double[] values, int[] arms, int armCount, boolean[] whole) {
    double span = hours[hours.length - 1];
    double hoursPerRun = span > 0 ? span / (hours.length - 1) : 1;
    BaselineFit best = new BaselineFit(hours, values, arms, armCount, whole, 0);
    if (best.degreesOfFreedom < 2) {
      return best;
    }
    for (double step : WANDER_PER_RUN) {
      BaselineFit fit = new BaselineFit(hours, values, arms, armCount, whole, step / hoursPerRun);
      best = fit.logPosterior > best.logPosterior ? fit : best;
    }
    return best;
  }

  /**
   * The baseline at a time.
   *
   * @param value its log metric
   * @param variance of the value's error, in units of one run's variance
   */
  record Baseline(double value, double variance) {}

  Baseline at(double hour, boolean whole) {
    boolean shifted = hasBoth && whole;
    int run = Arrays.binarySearch(hours, hour);
    if (run < 0) {
      return computed(hour, shifted);
    }
    int place = shifted ? hours.length + run : run;
    Baseline known = atRuns[place];
    if (known == null) {
      known = computed(hour, shifted);
      atRuns[place] = known;
    }
    return known;
  }

  private Baseline computed(double hour, boolean shifted) {
    double[] covariances = new double[hours.length];
    for (int i = 0; i < hours.length; i++) {
      covariances[i] = wander * Math.min(hours[i], hour);
    }
    double[] white = whitening.apply(covariances);
    double[] gap = new double[means.length];
    for (int c = 0; c < means.length; c++) {
      boolean counts = c == 0 || (shifted && c == means.length - 1);
      gap[c] = (counts ? 1 : 0) - dot(whiteDesign[c], white);
    }
    double variance = wander * hour - dot(white, white) + dot(gap, information.solve(gap));
    double level = means[0] + (shifted ? means[means.length - 1] : 0);
    return new Baseline(level + dot(white, whitePathResidual), Math.max(0, variance));
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

  double driftRange() {
    var levels = Arrays.stream(hours).map(hour -> at(hour, false).value()).summaryStatistics();
    return levels.getMax() - levels.getMin();
  }

  private static boolean hasBoth(boolean[] whole) {
    for (boolean one : whole) {
      if (one != whole[0]) {
        return true;
      }
    }
    return false;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
