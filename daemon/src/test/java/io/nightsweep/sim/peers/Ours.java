package io.nightsweep.sim.peers;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.peers.Shift.Outcome;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The real engine and conductor on the simulated cluster. */
record Ours() implements Contestant {
  static final int JOBS = 150;

  @Override
  public String name() {
    return "Nightsweep";
  }

  @Override
  public SortedMap<Setting, Outcome> night(World world, long seed, int only) {
    Night.Result night =
        new Night(
                Specs.screening(world.profiles(), Optional.of(JOBS), world.nodes()),
                new DrawnSurface(world.responses(), 1000, world.weather(), seed),
                Faults.none(),
                world.timing(),
                seed)
            .run();
    Optional<String> winner = Standings.winner(night.state()).map(Standing::profile);
    return new TreeMap<>(
        java.util.Map.of(
            new Setting(JOBS, "jobs at most"),
            new Outcome(
                winner.filter(world::isFound).isPresent(),
                winner.filter(w -> world.gain(w) <= 0).isPresent(),
                night.nodeHours(),
                night.jobs())));
  }
}
