package io.nightsweep.conductor;

import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.Wave;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** The first trials of a wave that does not choose profiles by results. */
final class FirstRuns {
  private FirstRuns() {}

  static List<Trial> of(View view, Wave wave) {
    SweepState s = view.state();
    Blocks blocks = new Blocks(s, wave.name());
    List<String> profiles = wave.profiles().stream().filter(p -> !s.isDropped(p)).toList();
    switch (wave.kind()) {
      case PROBE -> blocks.alone(primary(s), Profile.BASELINE, Purpose.PROBE);
      case NODE_GATE -> blocks.alone(primary(s), Profile.BASELINE, Purpose.NODE_GATE);
      case EVIDENCE -> {
        List<String> subjects = profiles.isEmpty() ? List.of(Profile.BASELINE) : profiles;
        subjects.forEach(p -> blocks.alone(primary(s), p, Purpose.EVIDENCE));
      }
      case BASELINE -> baseline(s, wave, profiles, blocks);
      case SCREEN -> {
        List<String> ranked = Mechanisms.ranked(s, wave);
        screen(s, wave, ranked, beside(view, wave, ranked), blocks);
      }
      case STACK, RACE, CONFIRM, CROSS_CHECK, WINNER_EVIDENCE ->
          throw new IllegalStateException(wave.kind() + " has no pass");
    }
    return blocks.trials();
  }

  /**
   * Plans one pair on each tag, and enough further controls on the first tag to measure the noise.
   */
  private static void baseline(SweepState s, Wave wave, List<String> profiles, Blocks blocks) {
    List<String> beside = profiles.stream().filter(p -> !p.equals(Profile.BASELINE)).toList();
    for (int r = 0; r < Math.max(wave.repetitions(), s.spec().policy().baselineRuns()); r++) {
      for (ConfigTag tag : s.spec().configTags()) {
        boolean pair = r < wave.repetitions();
        if (pair || tag.equals(s.spec().primaryTag())) {
          blocks.compare(tag.name(), pair ? beside : List.of(), Purpose.CONTROL, Purpose.SCREEN);
        }
      }
    }
  }

  /**
   * Contenders that run once more beside profiles that run for the first time. They share the
   * controls, and the race that follows starts with these results. A candidate's first run precedes
   * another's second.
   */
  private static List<String> beside(View view, Wave wave, List<String> newcomers) {
    int jobs = view.allowance().spendableOn(wave);
    int spare = Math.max(0, jobs - Fit.needed(view.state(), wave));
    return Search.advice(view, newcomers.size(), jobs) instanceof RacingAdvice.Screen next
        ? next.contenders().stream()
            .filter(p -> !newcomers.contains(p) && Search.isWorthARun(view, p))
            .limit(spare)
            .toList()
        : List.of();
  }

  /**
   * Plans blocks of new profiles. Profiles that were put off get a separate, later block.
   *
   * @param beside profiles that also run in each block
   */
  static void screen(
      SweepState s, Wave wave, List<String> profiles, List<String> beside, Blocks blocks) {
    int size = s.spec().policy().blockSize();
    Set<String> putOff = Fit.putOff(s);
    List<String> first = profiles.stream().filter(p -> !putOff.contains(p)).toList();
    List<String> last = profiles.stream().filter(putOff::contains).toList();
    for (int r = 0; r < Math.max(1, wave.repetitions()); r++) {
      List<String> order = new ArrayList<>(first);
      Collections.shuffle(order, new Random(s.seed() + 31L * wave.name().hashCode() + r));
      for (int from = 0; from < order.size(); from += size) {
        List<String> block =
            new ArrayList<>(order.subList(from, Math.min(order.size(), from + size)));
        block.addAll(beside);
        blocks.compare(primary(s), block, Purpose.CONTROL, Purpose.SCREEN);
      }
      if (!last.isEmpty()) {
        blocks.compare(primary(s), last, Purpose.CONTROL, Purpose.SCREEN);
      }
    }
  }

  private static String primary(SweepState s) {
    return s.spec().primaryTag().name();
  }
}
