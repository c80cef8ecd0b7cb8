package io.nightsweep.sim.peers;

import io.nightsweep.sim.peers.Shift.Outcome;
import io.nightsweep.sweep.Measurement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Optuna's TPE with one of its pruners; its pick is confirmed by fresh runs. */
final class Optuna implements Contestant {
  private static final List<Integer> TRIALS = List.of(20, 30, 40, 50, 60, 80, 100, 120, 140, 160);

  private final String pruner;
  private final Asked peer;

  Optuna(List<String> command, String pruner) throws IOException {
    this.pruner = pruner;
    peer = new Asked(Stream.concat(command.stream(), Stream.of(pruner)).toList());
  }

  @Override
  public String name() {
    return "Optuna TPE, " + pruner + " pruner";
  }

  @Override
  public SortedMap<Setting, Outcome> night(World world, long seed, int only) throws IOException {
    Shift shift = new Shift(world, seed);
    int most = only > 0 ? only : TRIALS.getLast();
    String names = String.join(" ", world.profiles());
    peer.tell("night " + seed + " " + most + " " + names);
    Picks picks = new Picks();
    SortedMap<Setting, Outcome> outcomes = new TreeMap<>();
    for (int trial = 1; trial <= most; trial++) {
      String profile = peer.question()[1];
      int[] used = {0};
      Optional<Measurement> run =
          shift.begin(
              profile,
              m -> {
                used[0] = used(m);
                return used[0];
              });
      if (run.isEmpty()) {
        peer.tell("failed");
      } else if (used[0] == run.get().steps().size()) {
        picks.add(profile, Math.log(run.get().value()));
      }
      if (trial == only || (only == 0 && TRIALS.contains(trial))) {
        shift.confirm(picks.bestMean(), trial, "trials, best mean", outcomes);
        shift.confirm(picks.bestRun(), trial, "trials, best trial", outcomes);
      }
    }
    peer.question();
    return outcomes;
  }

  private int used(Measurement m) {
    try {
      peer.tell(
          "steps "
              + m.steps().stream()
                  .map(step -> Double.toString(step.value()))
                  .collect(Collectors.joining(" ")));
      return Integer.parseInt(peer.question()[1]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    peer.close();
  }
}
