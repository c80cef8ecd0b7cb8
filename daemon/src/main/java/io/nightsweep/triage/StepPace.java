package io.nightsweep.triage;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.OptionalDouble;

/** Estimates a run's step duration from its steps so far. */
final class StepPace {
  /** The first step compiles, and the second compiles again if layouts have changed. */
  private static final int WARM_UP = 2;

  private static final int FEWEST = 3;

  /** Only this many of the latest steps of a long run count. */
  private static final int MOST = 64;

  private final ArrayDeque<Double> latest = new ArrayDeque<>();
  private int shown;
  private double slowest;

  /** Adds a step's duration; a value that is not a positive number is ignored. */
  void add(double seconds) {
    shown++;
    if (shown > 1 && isDuration(seconds)) {
      slowest = Math.max(slowest, seconds);
    }
    if (shown > WARM_UP && isDuration(seconds)) {
      latest.add(seconds);
      if (latest.size() > MOST) {
        latest.removeFirst();
      }
    }
  }

  /** The median, so that a checkpoint or a profiled window has little effect. */
  OptionalDouble seconds() {
    return latest.size() < FEWEST ? OptionalDouble.empty() : median(latest);
  }

  /** The time of the slowest step except the first; 0 if there is none. */
  double slowestSeconds() {
    return slowest;
  }

  static boolean isDuration(double seconds) {
    return Double.isFinite(seconds) && seconds > 0;
  }

  /** The median: the upper one for an even number of values, empty without values. */
  static OptionalDouble median(Collection<Double> values) {
    return values.stream().mapToDouble(v -> v).sorted().skip(values.size() / 2).findFirst();
  }
}
