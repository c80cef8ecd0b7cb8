package io.nightsweep.conductor;

import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Lays trials out in blocks: a control in every block, random order inside, all from the sweep's
 * own seed. Runs are compared inside their block only, since step time drifts through the night.
 */
final class Blocks {
  private final SweepState state;
  private final String wave;
  private final List<Trial> trials = new ArrayList<>();
  private final Map<String, Integer> repetitions = new HashMap<>();
  private int nextTrial;
  private int nextBlock;

  Blocks(SweepState state, String wave) {
    this.state = state;
    this.wave = wave;
    nextTrial = state.nextTrial().number();
    nextBlock =
        1 + state.trials().values().stream().mapToInt(t -> t.trial().block()).max().orElse(0);
    state.trials().values().forEach(t -> repetitions.merge(key(t.trial()), 1, Integer::sum));
  }

  /** What goes into a block beside the others. */
  record Slot(String profile, Purpose purpose) {}

  /** One block of the given slots on one config tag, shuffled. */
  Blocks block(String configTag, List<Slot> slots) {
    SplittableRandom random =
        new SplittableRandom(state.seed() ^ (0x9E3779B97F4A7C15L * nextBlock));
    for (Slot slot : shuffled(slots, random)) {
      Trial numbered =
          new Trial(
              new TrialId(nextTrial++),
              wave,
              nextBlock,
              slot.purpose(),
              slot.profile(),
              configTag,
              0);
      int repetition = repetitions.merge(key(numbered), 1, Integer::sum);
      trials.add(
          new Trial(
              numbered.id(),
              wave,
              nextBlock,
              slot.purpose(),
              slot.profile(),
              configTag,
              repetition));
    }
    nextBlock++;
    return this;
  }

  List<Trial> trials() {
    return List.copyOf(trials);
  }

  /** A fair shuffle by the sweep's seed and a salt. */
  static <T> List<T> shuffled(List<T> items, SplittableRandom random) {
    List<T> shuffled = new ArrayList<>(items);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      T swap = shuffled.get(i);
      shuffled.set(i, shuffled.get(j));
      shuffled.set(j, swap);
    }
    return shuffled;
  }

  private static String key(Trial t) {
    return t.profile() + "\n" + t.configTag() + "\n" + t.purpose();
  }
}
