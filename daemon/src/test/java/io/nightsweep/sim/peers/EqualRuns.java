package io.nightsweep.sim.peers;

import io.nightsweep.sim.peers.Shift.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The plain procedure: every profile and the baseline once per round, in random order, for n
 * rounds. A profile that fails is not run again.
 *
 * @param confirms whether the profile with the best mean gets a fresh confirmation; otherwise it
 *     wins if its difference from the baseline is significant at 5 % over all profiles
 *     (Bonferroni), by an analysis of variance with rounds as blocks
 */
record EqualRuns(boolean confirms) implements Contestant {
  private static final int MOST_ROUNDS = 16;
  private static final double ERROR = 0.05;

  /** Where a confirmation is tried; each costs a fit of all runs so far. */
  private static final Set<Integer> CONFIRMED_AFTER = Set.of(1, 2, 3, 4, 5, 6, 8, 11, MOST_ROUNDS);

  @Override
  public String name() {
    return confirms ? "equal runs, then fresh confirmation" : "equal runs";
  }

  @Override
  public SortedMap<Setting, Outcome> night(World world, long seed, int only) {
    Shift shift = new Shift(world, seed);
    List<String> alive = new ArrayList<>(world.profiles());
    alive.add(Shift.BASELINE);
    List<Map<String, Double>> rounds = new ArrayList<>();
    SortedMap<Setting, Outcome> outcomes = new TreeMap<>();
    for (int n = 1; n <= (only > 0 ? only : MOST_ROUNDS); n++) {
      Collections.shuffle(alive, new Random(shift.random().nextLong()));
      Map<String, Double> round = new HashMap<>();
      for (String profile : List.copyOf(alive)) {
        shift.run(profile).ifPresentOrElse(v -> round.put(profile, v), () -> alive.remove(profile));
      }
      rounds.add(round);
      if (confirms && (n == only || (only == 0 && CONFIRMED_AFTER.contains(n)))) {
        shift.confirm(best(rounds, alive), n, "runs of each", outcomes);
      } else if (!confirms && n > 1) {
        outcomes.put(
            new Setting(n, "runs of each"),
            shift.outcome(winner(rounds, alive, world.profiles().size())));
      }
    }
    return outcomes;
  }

  private static Optional<String> best(List<Map<String, Double>> rounds, List<String> alive) {
    return alive.stream()
        .filter(p -> !p.equals(Shift.BASELINE))
        .max(Comparator.comparingDouble(p -> mean(rounds, p)));
  }

  private static double mean(List<Map<String, Double>> rounds, String profile) {
    return rounds.stream().mapToDouble(r -> r.getOrDefault(profile, 0.0)).average().orElse(0);
  }

  private static Optional<String> winner(
      List<Map<String, Double>> rounds, List<String> alive, int profiles) {
    int n = rounds.size();
    Map<String, Double> means = new HashMap<>();
    alive.forEach(p -> means.put(p, mean(rounds, p)));
    double all = means.values().stream().mapToDouble(v -> v).average().orElse(0);
    double squares = 0;
    for (Map<String, Double> round : rounds) {
      double level =
          alive.stream().mapToDouble(p -> round.getOrDefault(p, 0.0)).average().orElse(0);
      for (String p : alive) {
        double residual = round.getOrDefault(p, 0.0) - means.getOrDefault(p, 0.0) - level + all;
        squares += residual * residual;
      }
    }
    int degrees = (n - 1) * (alive.size() - 1);
    double error = Math.sqrt(squares / degrees * 2 / n);
    double bound = TDistribution.of(degrees).inverseSurvivalProbability(ERROR / profiles / 2);
    double baseline = means.getOrDefault(Shift.BASELINE, 0.0);
    return best(rounds, alive).filter(p -> means.getOrDefault(p, 0.0) - baseline > bound * error);
  }
}
