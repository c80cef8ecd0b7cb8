package io.nightsweep.triage;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.OptionalDouble;

/** How long a run's steps take, by those it has shown. */
final class StepPace {
  /** The first step compiles, and the second compiles again where layouts have changed. */
  private static final int WARM_UP = 2;

  private static final int FEWEST = 3;

  /** A long run is judged by its latest steps. */
  private static final int MOST = 64;

  private final ArrayDeque<Double> latest = new ArrayDeque<>();
  private int shown;
  private double slowest;

  /** The next step's duration; one that is no positive number tells nothing. */
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

  /** The median, so that a checkpoint or a profiled window among them counts little. */
  OptionalDouble seconds() {
    return latest.size() < FEWEST ? OptionalDouble.empty() : median(latest);
  }

  /** The time of all steps but the first; 0 where there is none. */
  double slowestSeconds() {
    return slowest;
  }

  static boolean isDuration(double seconds) {
    return Double.isFinite(seconds) && seconds > 0;
  }

  /** The median; the upper one of an even number, empty of none. */
  static OptionalDouble median(Collection<Double> values) {
    return values.stream().mapToDouble(v -> v).sorted().skip(values.size() / 2).findFirst();
  }
}
