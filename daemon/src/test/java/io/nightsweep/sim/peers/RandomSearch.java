package io.nightsweep.sim.peers;

import io.nightsweep.sim.peers.Shift.Outcome;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Profiles drawn at random, with replacement; the best mean is confirmed by fresh runs. */
record RandomSearch() implements Contestant {
  static final List<Integer> TRIALS = List.of(40, 60, 80, 100, 120, 160, 200, 240, 320, 400);

  @Override
  public String name() {
    return "random search";
  }

  @Override
  public SortedMap<Setting, Outcome> night(World world, long seed, int only) {
    Shift shift = new Shift(world, seed);
    List<String> profiles = world.profiles();
    Picks picks = new Picks();
    SortedMap<Setting, Outcome> outcomes = new TreeMap<>();
    int most = only > 0 ? only : TRIALS.getLast();
    for (int trial = 1; trial <= most; trial++) {
      String profile = profiles.get(shift.random().nextInt(profiles.size()));
      shift.run(profile).ifPresent(value -> picks.add(profile, value));
      if (trial == only || (only == 0 && TRIALS.contains(trial))) {
        shift.confirm(picks.bestMean(), trial, "trials", outcomes);
      }
    }
    return outcomes;
  }
}
