package io.nightsweep.sim;

import io.nightsweep.sim.Disturbance.AfterBaseline.Onto;
import java.util.Collection;
import java.util.Locale;

/**
 * Kinds of noise that a cluster may have, so that the rules are held against others than those that
 * they were made on. Several may be taken together: each makes the weather before it worse.
 */
public enum NoiseFamily {
  /** Heavy tails and a baseline that wanders a little, as most clusters show. */
  USUAL {
    @Override
    Weather over(Weather weather) {
      return weather;
    }
  },
  /** Normal noise around a baseline that stands still. */
  QUIET {
    @Override
    Weather over(Weather w) {
      return new Weather(w.noise(), 0, 0, 0, w.stepDeviation(), w.stepCorrelation(), w.parts());
    }
  },
  /** One run in ten is 5 to 15 % slow. */
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
  /** A tenant stays for two hours and takes 2.5 deviations. */
  TENANTS {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.Tenant(2.5 * weather.noise(), 2));
    }
  },
  /** Nine tenths of the noise come as a path: ten-minute jobs correlate by 0.6. */
  AUTOCORRELATION {
    @Override
    Weather over(Weather w) {
      return w.scaled(Math.sqrt(1 - 0.9 * 0.9))
          .with(new Disturbance.AutocorrelatedLevel(0.9 * w.noise(), 1 / 3.0));
    }
  },
  /** A quarter of the candidates is three times as noisy as the baseline. */
  UNEQUAL_VARIANCES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.UnequalSpread(0.25, Math.sqrt(8) * weather.noise()));
    }
  },
  /** The level follows a sine of 2.5 deviations over a day. */
  DAILY_SINE {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.Sine(2.5 * weather.noise(), 24));
    }
  },
  /** A candidate's run right after a baseline's is 1.25 deviations faster. */
  CARRY_OVER_TO_CANDIDATES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.AfterBaseline(Onto.CANDIDATES, 1.25 * weather.noise()));
    }
  },
  /** A baseline's run right after another one is 1.25 deviations slower. */
  CARRY_OVER_TO_BASELINES {
    @Override
    Weather over(Weather weather) {
      return weather.with(new Disturbance.AfterBaseline(Onto.BASELINES, -1.25 * weather.noise()));
    }
  },
  /** The baseline wanders four times as far. */
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
  /** Noise of three degrees of freedom. */
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
  /** Three runs in ten are made at a speed that is 2.5 deviations lower. */
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

  /** The usual weather of a cluster of this noise, made worse by each of the families. */
  public static Weather weather(double noise, Collection<NoiseFamily> families) {
    Weather weather = Weather.usual(noise);
    for (NoiseFamily family : families) {
      weather = family.over(weather);
    }
    return weather;
  }

  /** The name in a command: {@code carry-over-to-baselines}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
