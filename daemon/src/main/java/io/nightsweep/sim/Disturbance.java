package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.SplittableRandom;

/**
 * One way in which a cluster distorts the result of a run, in addition to plain run-to-run noise.
 * Disturbances add up on the logarithm of the metric; 0.01 is about 1 %.
 */
public sealed interface Disturbance {

  /** Begins a night with the disturbance; the same seed gives the same night. */
  DisturbedNight begin(long seed);

  /** The effect of the disturbance on the runs of one night. */
  interface DisturbedNight {
    /**
     * The change of a run's log metric.
     *
     * @param random the run's own source, so that the same run always changes by the same amount
     */
    double of(Surface.SurfaceRun run, SplittableRandom random);
  }

  /**
   * A share of all runs is slower, by a loss drawn uniformly between two bounds.
   *
   * @param share of the runs, 0 to 1
   */
  record SlowRuns(double share, double least, double most) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      return (run, random) ->
          random.nextDouble() < share ? -(least + (most - least) * random.nextDouble()) : 0;
    }
  }

  /** The cluster's level jumps up or down by {@code size}, at moments of a Poisson process. */
  record LevelJumps(double size, double meanHours) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      Moments moments = new Moments(seed, meanHours);
      return (run, random) -> {
        double level = 0;
        for (int i = 0; i < moments.before(run.hours()); i++) {
          level += new SplittableRandom(seed + i).split().nextBoolean() ? size : -size;
        }
        return level;
      };
    }
  }

  /** Another tenant comes and goes, and causes this loss while present. */
  record Tenant(double loss, double meanHours) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      Moments moments = new Moments(seed, meanHours);
      return (run, random) -> moments.before(run.hours()) % 2 == 1 ? -loss : 0;
    }
  }

  /**
   * Successive runs are similar: a stationary path with this deviation and a correlation that falls
   * to 1/e within {@code memoryHours}.
   */
  record AutocorrelatedLevel(double deviation, double memoryHours) implements Disturbance {
    private static final int A_DAY = 288;

    @Override
    public DisturbedNight begin(long seed) {
      SplittableRandom random = new SplittableRandom(seed);
      double kept = Math.exp(-24.0 / A_DAY / memoryHours);
      double[] path = new double[A_DAY + 1];
      for (int i = 0; i <= A_DAY; i++) {
        double fresh = deviation * random.nextGaussian();
        path[i] = i == 0 ? fresh : kept * path[i - 1] + Math.sqrt(1 - kept * kept) * fresh;
      }
      return (run, own) -> path[(int) Math.min(A_DAY, Math.max(0, run.hours() / 24 * A_DAY))];
    }
  }

  /**
   * Runs of some candidates scatter more than the baseline's.
   *
   * @param share of the candidates, drawn for each night by name
   * @param deviation added to their noise
   */
  record UnequalSpread(double share, double deviation) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      return (run, random) -> {
        boolean rough =
            !run.profile().isBaseline()
                && new SplittableRandom(seed ^ run.profile().name().hashCode()).split().nextDouble()
                    < share;
        return rough ? deviation * random.nextGaussian() : 0;
      };
    }
  }

  /** The cluster's level follows a sine with a random phase for each night. */
  record Sine(double amplitude, double periodHours) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      double phase = new SplittableRandom(seed).nextDouble();
      return (run, random) ->
          amplitude * Math.sin(2 * Math.PI * (run.hours() / periodHours + phase));
    }
  }

  /** The run before affects a run: here, a baseline run affects the next one. */
  record AfterBaseline(Onto onto, double change) implements Disturbance {
    /** The runs that a disturbance changes. */
    public enum Onto {
      BASELINES,
      CANDIDATES
    }

    @Override
    public DisturbedNight begin(long seed) {
      return (run, random) -> {
        boolean afterBaseline = run.before().filter(Profile.BASELINE::equals).isPresent();
        boolean meant = run.profile().isBaseline() == (onto == Onto.BASELINES);
        return afterBaseline && meant ? change : 0;
      };
    }
  }

  /**
   * Each run has one of two speeds, as on processors that may or may not boost.
   *
   * @param share of the runs at the lower speed
   */
  record TwoSpeeds(double share, double loss) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      return (run, random) -> random.nextDouble() < share ? -loss : 0;
    }
  }

  /** Moments of one night at which something changes, with this average distance in hours. */
  final class Moments {
    private final double[] hours = new double[200];

    private Moments(long seed, double meanHours) {
      SplittableRandom random = new SplittableRandom(~seed);
      double at = 0;
      for (int i = 0; i < hours.length; i++) {
        at -= meanHours * Math.log(1 - random.nextDouble());
        hours[i] = at;
      }
    }

    /** The number of moments that have passed. */
    int before(double hour) {
      int count = 0;
      while (count < hours.length && hours[count] <= hour) {
        count++;
      }
      return count;
    }
  }
}
