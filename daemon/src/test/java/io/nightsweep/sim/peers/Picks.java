package io.nightsweep.sim.peers;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What a search has measured, and the profile that it would pick. */
final class Picks {
  private record Seen(double sum, int runs, double best) {
    Seen with(double value) {
      return new Seen(sum + value, runs + 1, Math.max(best, value));
    }

    double mean() {
      return sum / runs;
    }
  }

  private final Map<String, Seen> seen = new HashMap<>();

  void add(String profile, double logMetric) {
    seen.put(
        profile,
        seen.getOrDefault(profile, new Seen(0, 0, Double.NEGATIVE_INFINITY)).with(logMetric));
  }

  /** The profile of the best single run. */
  Optional<String> bestRun() {
    return best(Comparator.comparingDouble(e -> e.getValue().best()));
  }

  /** The best mean among profiles with at least half as many runs as the one with the most. */
  Optional<String> bestMean() {
    int most = seen.values().stream().mapToInt(Seen::runs).max().orElse(0);
    return seen.entrySet().stream()
        .filter(e -> 2 * e.getValue().runs() >= most)
        .max(Comparator.comparingDouble(e -> e.getValue().mean()))
        .map(Map.Entry::getKey);
  }

  private Optional<String> best(Comparator<Map.Entry<String, Seen>> by) {
    return seen.entrySet().stream().max(by).map(Map.Entry::getKey);
  }
}
