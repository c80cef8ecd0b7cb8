package io.nightsweep.sim;

import java.util.Arrays;
import java.util.Random;

/** The drift of the whole cluster in one night: a straight line plus a Brownian path. */
final class Wander {
  private static final double STEP_HOURS = 1 / 12.0;

  private final Weather weather;
  private final Random random;
  private double[] path = {0};

  Wander(Weather weather, long seed) {
    this.weather = weather;
    this.random = new Random(seed);
  }

  /** The drift at a time; it does not depend on earlier calls. */
  double at(double hours) {
    double place = Math.max(0, hours) / STEP_HOURS;
    int before = (int) place;
    extend(before + 2);
    double share = place - before;
    return weather.slopePerHour() * hours + path[before] * (1 - share) + path[before + 1] * share;
  }

  private void extend(int length) {
    if (length <= path.length) {
      return;
    }
    double[] longer = Arrays.copyOf(path, Math.max(length, 2 * path.length));
    double step = weather.wanderPerRootHour() * Math.sqrt(STEP_HOURS);
    for (int i = path.length; i < longer.length; i++) {
      longer[i] = longer[i - 1] + step * random.nextGaussian();
    }
    path = longer;
  }
}
