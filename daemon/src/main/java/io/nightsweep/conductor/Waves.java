package io.nightsweep.conductor;

import io.nightsweep.conductor.Blocks.Slot;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Walks the plan: opens a wave, adds to it what its results call for, closes it. */
final class Waves {
  static final String BUDGET = "the budget allows no more runs for ";

  /** The best single profiles that a stack is made of, at most. */
  private static final int STACKED = 3;

  private Waves() {}

  /** Closes the waves whose trials all have their disposition and that want no more. */
  static List<Decision> close(SweepState s, Instant now) {
    return s.waves().stream()
        .filter(w -> w.isOpen() && w.trials().stream().noneMatch(t -> s.trial(t).isOpen()))
        .filter(w -> more(s, w, now).isEmpty())
        .<Decision>map(
            w ->
                new Decision.Append(
                    new Event.WaveClosed(w.wave().name()),
                    "every trial of the wave has its disposition"))
        .toList();
  }

  /** Plans trials when none is waiting to be submitted. */
  static List<Decision> plan(SweepState s, Instant now) {
    boolean waiting =
        s.trials().values().stream().anyMatch(t -> Trials.isReady(t, true) && t.isOpen());
    if (waiting || s.clusterOutage().isPresent() || s.storageFailure().isPresent()) {
      return List.of();
    }
    for (WaveState w : s.waves()) {
      if (w.isOpen()) {
        List<Trial> more = more(s, w, now);
        if (!more.isEmpty()) {
          return List.of(
              new Decision.Append(
                  new Event.TrialsPlanned(
                      w.wave().name(), more, "its results so far call for more"),
                  "runs are spent where they decide"));
        }
        if (mustRest(s, w)) {
          return List.of();
        }
      }
      if (w.isPending()) {
        return open(s, w.wave(), now);
      }
    }
    return List.of();
  }

  /**
   * A wave that chooses by results waits until the results are in; so does everything behind a wave
   * that is still choosing.
   */
  private static boolean mustRest(SweepState s, WaveState w) {
    return switch (w.wave().kind()) {
      case RACE, CONFIRM -> w.trials().stream().anyMatch(t -> s.trial(t).isOpen());
      case PROBE, BASELINE, EVIDENCE, SCREEN, STACK, CROSS_CHECK -> false;
    };
  }

  private static boolean choosesByResults(Wave.Kind kind) {
    return switch (kind) {
      case STACK, RACE, CONFIRM, CROSS_CHECK -> true;
      case PROBE, BASELINE, EVIDENCE, SCREEN -> false;
    };
  }

  private static List<Decision> open(SweepState s, Wave wave, Instant now) {
    if (choosesByResults(wave.kind()) && !s.inFlight().isEmpty()) {
      return List.of();
    }
    Optional<String> skip = skipReason(s, wave, now);
    if (skip.isPresent()) {
      return List.of(
          new Decision.Append(new Event.WaveSkipped(wave.name(), skip.get()), skip.get()));
    }
    if (wave.kind() == Wave.Kind.STACK) {
      return openStack(s, wave);
    }
    List<Trial> trials = firstPass(s, wave);
    return trials.isEmpty()
        ? List.of(
            new Decision.Append(
                new Event.WaveSkipped(wave.name(), "no profile is left for it"),
                "nothing is left to run"))
        : List.of(
            new Decision.Append(
                new Event.WaveOpened(wave.name(), trials), "the wave before it is submitted"));
  }

  private static Optional<String> skipReason(SweepState s, Wave wave, Instant now) {
    if (Allowance.of(s, now).spendableOn(wave.kind()) <= 0) {
      // A screening wave that cannot run is opened all the same, so that each of its trials is
      // accounted for as dropped.
      return wave.kind() == Wave.Kind.SCREEN || wave.kind() == Wave.Kind.BASELINE
          ? Optional.empty()
          : Optional.of(BUDGET + wave.kind());
    }
    return switch (wave.when()) {
      case ALWAYS -> Optional.empty();
      case UNTIL_TARGET_MET ->
          Race.targetMet(s) ? Optional.of("the target gain is reached") : Optional.empty();
      case IF_CONTENDER ->
          Race.contenders(s).isEmpty()
              ? Optional.of("no profile is ahead of the baseline")
              : Optional.empty();
      case IF_WINNER ->
          Conclusion.winner(s).isEmpty() ? Optional.of("no winner is confirmed") : Optional.empty();
    };
  }

  private static List<Trial> firstPass(SweepState s, Wave wave) {
    Blocks blocks = new Blocks(s, wave.name());
    return switch (wave.kind()) {
      case PROBE ->
          blocks.block(primary(s), List.of(new Slot(Profile.BASELINE, Purpose.PROBE))).trials();
      case EVIDENCE ->
          blocks
              .block(
                  primary(s),
                  profiles(s, wave).isEmpty()
                      ? List.of(new Slot(Profile.BASELINE, Purpose.EVIDENCE))
                      : profiles(s, wave).stream().map(p -> new Slot(p, Purpose.EVIDENCE)).toList())
              .trials();
      case BASELINE -> baseline(s, wave, blocks);
      case SCREEN -> screen(s, wave, profiles(s, wave), blocks);
      case STACK -> List.of();
      case RACE -> race(s, blocks);
      case CONFIRM -> confirm(s, blocks);
      case CROSS_CHECK -> crossCheck(s, wave, blocks);
    };
  }

  private static List<Trial> baseline(SweepState s, Wave wave, Blocks blocks) {
    for (int r = 0; r < Math.max(wave.repetitions(), s.spec().policy().baselineRuns()); r++) {
      for (ConfigTag tag : s.spec().configTags()) {
        List<Slot> slots = new ArrayList<>(List.of(new Slot(Profile.BASELINE, Purpose.CONTROL)));
        profiles(s, wave).stream()
            .filter(p -> !p.equals(Profile.BASELINE))
            .forEach(p -> slots.add(new Slot(p, Purpose.SCREEN)));
        blocks.block(tag.name(), slots);
      }
    }
    return blocks.trials();
  }

  private static List<Trial> screen(SweepState s, Wave wave, List<String> profiles, Blocks blocks) {
    int size = s.spec().policy().blockSize();
    for (int r = 0; r < Math.max(1, wave.repetitions()); r++) {
      SplittableRandom random = new SplittableRandom(s.seed() + 31L * wave.name().hashCode() + r);
      List<String> order = Blocks.shuffled(profiles, random);
      for (int from = 0; from < order.size(); from += size) {
        block(blocks, primary(s), order.subList(from, Math.min(order.size(), from + size)));
      }
    }
    return blocks.trials();
  }

  private static List<Trial> race(SweepState s, Blocks blocks) {
    List<String> next = Race.replicate(s);
    if (!next.isEmpty()) {
      block(
          blocks,
          primary(s),
          next.subList(0, Math.min(next.size(), s.spec().policy().blockSize())));
    }
    return blocks.trials();
  }

  private static void block(Blocks blocks, String tag, List<String> profiles) {
    blocks.block(
        tag,
        Stream.concat(
                Stream.of(new Slot(Profile.BASELINE, Purpose.CONTROL)),
                profiles.stream().map(p -> new Slot(p, Purpose.SCREEN)))
            .toList());
  }

  private static List<Trial> confirm(SweepState s, Blocks blocks) {
    Optional<String> candidate = Race.nextToConfirm(s);
    if (candidate.isEmpty()) {
      return List.of();
    }
    for (int r = 0; r < s.spec().policy().confirmRuns(); r++) {
      blocks.block(
          primary(s),
          List.of(
              new Slot(Profile.BASELINE, Purpose.CONFIRM_CONTROL),
              new Slot(candidate.get(), Purpose.CONFIRM)));
    }
    return blocks.trials();
  }

  private static List<Trial> crossCheck(SweepState s, Wave wave, Blocks blocks) {
    String winner = Conclusion.winner(s).map(Race.Standing::profile).orElseThrow();
    for (int r = 0; r < Math.max(1, wave.repetitions()); r++) {
      for (ConfigTag tag : s.spec().configTags().subList(1, s.spec().configTags().size())) {
        blocks.block(
            tag.name(),
            List.of(
                new Slot(Profile.BASELINE, Purpose.CROSS_CONTROL),
                new Slot(winner, Purpose.CROSS_CHECK)));
      }
    }
    return blocks.trials();
  }

  private static List<Decision> openStack(SweepState s, Wave wave) {
    List<String> best =
        Race.contenders(s).stream()
            .filter(st -> s.profile(st.profile()).parts().isEmpty())
            .limit(STACKED)
            .map(Race.Standing::profile)
            .toList();
    if (best.size() < 2) {
      return List.of(
          new Decision.Append(
              new Event.WaveSkipped(wave.name(), "fewer than two singles are ahead"),
              "a stack needs two winners"));
    }
    Profile stack = s.profile(best.get(0));
    List<Decision> decisions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (String next : best.subList(1, best.size())) {
      stack = stack.stackedWith(s.profile(next));
      names.add(stack.name());
      decisions.add(
          new Decision.Append(
              new Event.ProfileAdded(stack, "its parts lead as singles"),
              "additivity promises more than the best single"));
    }
    Blocks blocks = new Blocks(s, wave.name());
    decisions.add(
        new Decision.Append(
            new Event.WaveOpened(wave.name(), screen(s, wave, names, blocks)),
            "stacks of the leading singles"));
    return decisions;
  }

  /** What an open wave wants beyond its first pass. */
  private static List<Trial> more(SweepState s, WaveState w, Instant now) {
    if (Allowance.of(s, now).spendableOn(w.wave().kind()) <= 0) {
      return List.of();
    }
    boolean resting = w.trials().stream().noneMatch(t -> s.trial(t).isOpen());
    return switch (w.wave().kind()) {
      case RACE -> resting ? race(s, new Blocks(s, w.wave().name())) : List.of();
      case CONFIRM ->
          resting && Conclusion.winner(s).isEmpty()
              ? confirm(s, new Blocks(s, w.wave().name()))
              : List.of();
      case PROBE, BASELINE, EVIDENCE, SCREEN, STACK, CROSS_CHECK -> List.of();
    };
  }

  private static List<String> profiles(SweepState s, Wave wave) {
    return wave.profiles().stream().filter(p -> !s.isDropped(p)).toList();
  }

  private static String primary(SweepState s) {
    return s.spec().primaryTag().name();
  }
}
