package io.nightsweep.sim;

import io.nightsweep.sim.Disturbance.AfterBaseline.Onto;
import java.util.Collection;
import java.util.Locale;

/**
 * Kinds of noise on clusters, to test the rules on other noise than that for which they were
 * designed. Several can be combined: each is added to the weather so far.
 */
public enum NoiseFamily {
  /** Heavy tails and a slightly drifting baseline, as on most clusters. */
  USUAL {
    @Override
    Weather over(Weather weather) {
      return weather;
    }
  },
  /** Normal noise around a constant baseline. */
  QUIET {
    @Override
    Weather over(Weather w) {
      return new Weather(w.noise(), 0, 0, 0, w.stepDeviation(), w.stepCorrelation(), w.parts());
    }
  },
  /** One run in ten is 5 to 15 % slower. */
  STRAGGLERS {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.SlowRuns(0.1, 0.05, 0.15));
    }
  },
  /** The level jumps by 2.5 deviations every two hours. */
  LEVEL_JUMPS {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.LevelJumps(2.5 * weather.noise(), 2));
    }
  },
  /** A tenant stays for two hours and costs 2.5 deviations. */
  TENANTS {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.Tenant(2.5 * weather.noise(), 2));
    }
  },
  /** Nine tenths of the noise form a path: ten-minute jobs have a correlation of 0.6. */
  AUTOCORRELATION {
    @Override
    Weather over(Weather w) {
      return w.scaled(Math.sqrt(1 - 0.9 * 0.9))
          .with(new Disturbance.AutocorrelatedLevel(0.9 * w.noise(), 1 / 3.0));
    }
  },
  /** A quarter of the candidates are three times as noisy as the baseline. */
  UNEQUAL_VARIANCES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.UnequalSpread(0.25, Math.sqrt(8) * weather.noise()));
    }
  },
  /** All candidates are three times as noisy as the baseline. */
  NOISY_CANDIDATES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.UnequalSpread(1, Math.sqrt(8) * weather.noise()));
    }
  },
  /** The level follows a daily sine of 2.5 deviations. */
  DAILY_SINE {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.Sine(2.5 * weather.noise(), 24));
    }
  },
  /** A candidate's run right after a baseline run is 1.25 deviations faster. */
  CARRY_OVER_TO_CANDIDATES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.AfterBaseline(Onto.CANDIDATES, 1.25 * weather.noise()));
    }
  },
  /** A baseline run right after another one is 1.25 deviations slower. */
  CARRY_OVER_TO_BASELINES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.AfterBaseline(Onto.BASELINES, -1.25 * weather.noise()));
    }
  },
  /** The baseline drifts four times as far. */
  STRONG_WANDER {
    @Override
    Weather over(Weather w) {
      return new Weather(
          w.noise(),
          w.tailDegreesOfFreedom(),
          4 * w.wanderPerRootHour(),
          w.slopePerHour(),
          w.stepDeviation(),
          w.stepCorrelation(),
          w.parts());
    }
  },
  /** Noise from a t distribution with three degrees of freedom. */
  HEAVY_TAILS {
    @Override
    Weather over(Weather w) {
      return new Weather(
          w.noise(),
          3,
          w.wanderPerRootHour(),
          w.slopePerHour(),
          w.stepDeviation(),
          w.stepCorrelation(),
          w.parts());
    }
  },
  /** Three runs in ten are slower by 2.5 deviations. */
  BIMODAL {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.TwoSpeeds(0.3, 2.5 * weather.noise()));
    }
  },
  /** The cluster slows down by 0.6 deviations an hour. */
  DRIFT {
    @Override
    Weather over(Weather w) {
      return new Weather(
          w.noise(),
          w.tailDegreesOfFreedom(),
          w.wanderPerRootHour(),
          -0.6 * w.noise(),
          w.stepDeviation(),
          w.stepCorrelation(),
          w.parts());
    }
  };

  abstract Weather over(Weather weather);

  /** The usual weather of a cluster with this noise, with each of the families added. */
  public static Weather weather(double noise, Collection<NoiseFamily> families) {
    Weather weather = Weather.usual(noise);
    for (NoiseFamily family : families) {
      weather = family.over(weather);
    }
    return weather;
  }

  /** The name on the command line: {@code carry-over-to-baselines}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
