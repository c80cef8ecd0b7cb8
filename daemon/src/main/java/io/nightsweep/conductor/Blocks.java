package io.nightsweep.conductor;

import io.nightsweep.measure.BlockOrder;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lays out trials in blocks, each with a control, in an order drawn from the sweep's own seed. Each
 * run is compared with the baseline near it in time, since step time drifts through the night.
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

  /** Adds one block: the profiles with one control between them. */
  void compare(String configTag, List<String> profiles, Purpose control, Purpose candidate) {
    List<String> order = BlockOrder.screening(profiles, Profile.BASELINE, 1, salt());
    block(configTag, order, control, candidate);
  }

  /**
   * Adds profiles that run after the last block, in this order, and are compared with its control.
   */
  void after(String configTag, List<String> profiles, Purpose candidate) {
    nextBlock--;
    block(configTag, profiles, candidate, candidate);
  }

  /** Adds the blocks of a confirmation on one config tag. */
  void confirm(String configTag, String profile, int runsPerArm) {
    for (List<String> order :
        BlockOrder.confirmation(profile, Profile.BASELINE, runsPerArm, salt())) {
      block(configTag, order, Purpose.CONFIRM_CONTROL, Purpose.CONFIRM);
    }
  }

  /** Adds one trial that is not compared with any other. */
  void alone(String configTag, String profile, Purpose purpose) {
    block(configTag, List.of(profile), purpose, purpose);
  }

  List<Trial> trials() {
    return List.copyOf(trials);
  }

  private void block(String configTag, List<String> order, Purpose control, Purpose candidate) {
    for (String profile : order) {
      Purpose purpose = profile.equals(Profile.BASELINE) ? control : candidate;
      int repetition = repetitions.merge(key(profile, configTag, purpose), 1, Integer::sum);
      trials.add(
          new Trial(
              new TrialId(nextTrial++), wave, nextBlock, purpose, profile, configTag, repetition));
    }
    nextBlock++;
  }

  private long salt() {
    return state.seed() ^ (0x9E3779B97F4A7C15L * nextBlock);
  }

  private static String key(Trial t) {
    return key(t.profile(), t.configTag(), t.purpose());
  }

  private static String key(String profile, String configTag, Purpose purpose) {
    return profile + "\n" + configTag + "\n" + purpose;
  }
}
