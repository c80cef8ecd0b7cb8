package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.SplittableRandom;

/**
 * At most one better profile, t or normal noise, and a baseline that wanders by 0.1 % from one
 * four-minute job to the next on top of a linear drift of 1 % in 400 minutes.
 */
final class DriftingSurface implements Surface {
  private static final double STEPS_PER_HOUR = 15;
  private static final double STEP = 0.001;
  private static final double PER_HOUR = 0.01 / (400.0 / 60);

  private final String better;
  private final double gain;
  private final double deviation;
  private final int tails;
  private final double[] path = new double[600];

  /**
   * @param tails degrees of freedom of t noise of that deviation; 0 for normal noise
   */
  DriftingSurface(String better, double gain, double deviation, int tails, long seed) {
    this.better = better;
    this.gain = gain;
    this.deviation = deviation;
    this.tails = tails;
    SplittableRandom random = new SplittableRandom(~seed);
    for (int i = 1; i < path.length; i++) {
      path[i] = path[i - 1] + STEP * random.nextGaussian();
    }
  }

  @Override
  public double effect(Profile profile, String configTag) {
    return profile.name().equals(better) ? gain : 0;
  }

  @Override
  public double baseline(String configTag) {
    return 1000;
  }

  @Override
  public double drift(double hours) {
    double step = Math.min(path.length - 1.001, hours * STEPS_PER_HOUR);
    int before = (int) step;
    double wander = path[before] + (step - before) * (path[before + 1] - path[before]);
    return wander + PER_HOUR * hours;
  }

  @Override
  public double noise(SplittableRandom random) {
    double normal = deviation * random.nextGaussian();
    if (tails == 0) {
      return normal;
    }
    double chiSquare = 0;
    for (int i = 0; i < tails; i++) {
      chiSquare += Math.pow(random.nextGaussian(), 2);
    }
    return normal * Math.sqrt((tails - 2) / chiSquare);
  }
}
