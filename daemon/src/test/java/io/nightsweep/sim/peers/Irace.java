package io.nightsweep.sim.peers;

import io.nightsweep.sim.peers.Shift.Outcome;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** irace's F-race; its final elite is confirmed by fresh runs. */
final class Irace implements Contestant {
  private static final List<Integer> EXPERIMENTS = List.of(220, 260, 300, 400);

  private final Asked peer;

  Irace(List<String> command) throws IOException {
    peer = new Asked(command);
  }

  @Override
  public String name() {
    return "irace";
  }

  @Override
  public SortedMap<Setting, Outcome> night(World world, long seed, int only) throws IOException {
    SortedMap<Setting, Outcome> outcomes = new TreeMap<>();
    for (int experiments : only > 0 ? List.of(only) : EXPERIMENTS) {
      Shift shift = new Shift(world, seed);
      peer.tell(
          "night " + (seed + 1) + " " + experiments + " " + String.join(" ", world.profiles()));
      String[] question = peer.question();
      while (question[0].equals("run")) {
        peer.tell(shift.run(question[1]).map(v -> Double.toString(Math.exp(v))).orElse("failed"));
        question = peer.question();
      }
      Optional<String> pick = Optional.of(question[1]).filter(p -> !p.equals("none"));
      shift.confirm(pick, experiments, "experiments", outcomes);
    }
    return outcomes;
  }

  @Override
  public void close() throws IOException {
    peer.close();
  }
}
