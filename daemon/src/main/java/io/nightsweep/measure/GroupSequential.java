package io.nightsweep.measure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * How strictly each of several looks at growing data must judge, so that all of them together err
 * no more often than a single look. Up to a share {@code t} of the planned runs, {@code level ln(1
 * + (e - 1) t)} of the level may be spent (Lan and DeMets 1983, Pocock type); recursive integration
 * turns what a look may newly spend into a bound (Armitage, McPherson and Rowe 1969).
 */
final class GroupSequential {
  private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);

  /** Must be even for Simpson's rule. */
  private static final int CELLS = 160;

  private static final int BISECTIONS = 45;

  /** Caches the integration for each design, since it depends on nothing else. */
  private static final Map<Design, List<Double>> KNOWN =
      Collections.synchronizedMap(new HashMap<>());

  private record Design(double level, List<Integer> runs, int most) {}

  private GroupSequential() {}

  /**
   * The two-sided level at which each look judges as if it were the only one.
   *
   * @param level two-sided level of all looks together
   * @param runs per arm at each look, ascending
   * @param most runs per arm at which the whole level is spent
   */
  static List<Double> nominalLevels(double level, List<Integer> runs, int most) {
    return KNOWN.computeIfAbsent(
        new Design(level, List.copyOf(runs), most),
        design -> integrate(design.level(), design.runs(), design.most()));
  }

  /** The part of the level that may be spent up to this share of the runs. */
  static double spent(double level, double share) {
    return level * Math.log1p((Math.E - 1) * Math.min(1, share));
  }

  private static List<Double> integrate(double level, List<Integer> runs, int most) {
    List<Double> nominal = new ArrayList<>();
    // The density of the sum of scores at the last look, on a grid within that look's bounds.
    double[] places = {0};
    double[] masses = {1};
    double before = 0;
    double spent = 0;
    for (int n : runs) {
      double may = spent(level, (double) n / most) - spent;
      spent += may;
      double spread = Math.sqrt(n - before);
      double bound = bound(places, masses, spread, may, Math.sqrt(n));
      nominal.add(2 * NORMAL.survivalProbability(bound / Math.sqrt(n)));
      double[] next = new double[CELLS + 1];
      double[] weighed = new double[CELLS + 1];
      double cell = 2 * bound / CELLS;
      for (int i = 0; i <= CELLS; i++) {
        next[i] = -bound + i * cell;
        double density = 0;
        for (int k = 0; k < places.length; k++) {
          density += masses[k] * NORMAL.density((next[i] - places[k]) / spread) / spread;
        }
        double simpson = (i == 0 || i == CELLS ? 1 : i % 2 == 1 ? 4 : 2) * cell / 3;
        weighed[i] = density * simpson;
      }
      places = next;
      masses = weighed;
      before = n;
    }
    return List.copyOf(nominal);
  }

  /** The bound beyond which this mass lies, both sides together. */
  private static double bound(
      double[] places, double[] masses, double spread, double mass, double deviation) {
    double low = 0;
    double high = 12 * deviation;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      double beyond = 0;
      for (int k = 0; k < places.length; k++) {
        beyond +=
            masses[k]
                * (NORMAL.survivalProbability((middle - places[k]) / spread)
                    + NORMAL.survivalProbability((middle + places[k]) / spread));
      }
      if (beyond > mass) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }
}
