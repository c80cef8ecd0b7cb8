package io.nightsweep.sim;

import io.nightsweep.sweep.Profile;
import java.util.SplittableRandom;

/**
 * One way in which a cluster falsifies what a run shows, beside its plain run-to-run noise. Parts
 * add up on the logarithm of the metric; a figure of 0.01 is about 1 %.
 */
public sealed interface Disturbance {

  /** One night of it. The same seed gives the same night. */
  DisturbedNight begin(long seed);

  /** What the disturbance adds to the runs of one night. */
  interface DisturbedNight {
    /**
     * The change of a run's log metric.
     *
     * @param random the run's own source: the same run gets the same change
     */
    double of(Surface.SurfaceRun run, SplittableRandom random);
  }

  /**
   * A share of all runs is slower, by a loss that is drawn evenly between two bounds.
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

  /** The cluster's level jumps by so much up or down, at moments of a Poisson process. */
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

  /** Another tenant comes and goes, and takes this loss while it is there. */
  record Tenant(double loss, double meanHours) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      Moments moments = new Moments(seed, meanHours);
      return (run, random) -> moments.before(run.hours()) % 2 == 1 ? -loss : 0;
    }
  }

  /**
   * Runs that follow each other are alike: a stationary path of this deviation, whose correlation
   * falls to 1/e within {@code memoryHours}.
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
   * @param share of the candidates, drawn for the night by their names
   * @param deviation that is added to their noise
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

  /** The cluster's level follows a sine whose phase is drawn for each night. */
  record Sine(double amplitude, double periodHours) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      double phase = new SplittableRandom(seed).nextDouble();
      return (run, random) ->
          amplitude * Math.sin(2 * Math.PI * (run.hours() / periodHours + phase));
    }
  }

  /** A run is changed by what ran before it: here by a run of the baseline. */
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
   * Each run is made at one of two speeds, as where processors boost or do not.
   *
   * @param share of the runs that are made at the lower one
   */
  record TwoSpeeds(double share, double loss) implements Disturbance {
    @Override
    public DisturbedNight begin(long seed) {
      return (run, random) -> random.nextDouble() < share ? -loss : 0;
    }
  }

  /** Moments of one night at which something changes, on the average so many hours apart. */
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

    /** How many of them have passed. */
    int before(double hour) {
      int count = 0;
      while (count < hours.length && hours[count] <= hour) {
        count++;
      }
      return count;
    }
  }
}
