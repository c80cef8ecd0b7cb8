package io.nightsweep.sim.peers;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Standing;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sim.peers.Shift.Outcome;
import io.nightsweep.sweep.SweepSpec;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The real engine and conductor on the simulated cluster.
 *
 * @param screeningSteps of the jobs for screening and races; empty if all are whole
 */
record Ours(OptionalInt screeningSteps) implements Contestant {
  static final int JOBS = 150;

  @Override
  public String name() {
    return screeningSteps.isPresent()
        ? "Nightsweep, screening with " + screeningSteps.getAsInt() + " steps"
        : "Nightsweep";
  }

  @Override
  public SortedMap<Setting, Outcome> night(World world, long seed, int only) {
    SweepSpec whole = Specs.screening(world.profiles(), Optional.of(JOBS), world.nodes());
    Night.Result night =
        new Night(
                screeningSteps.isPresent() ? whole.screening(screeningSteps.getAsInt()) : whole,
                new DrawnSurface(world.responses(), 1000, world.weather(), seed),
                Faults.none(),
                world.timing(),
                seed)
            .run();
    Optional<String> winner = Standings.winner(night.state()).map(Standing::profile);
    return new TreeMap<>(
        Map.of(
            new Setting(JOBS, "jobs at most"),
            new Outcome(
                winner.filter(world::isFound).isPresent(),
                winner.filter(w -> world.gain(w) <= 0).isPresent(),
                night.nodeHours(),
                night.jobs())));
  }
}
