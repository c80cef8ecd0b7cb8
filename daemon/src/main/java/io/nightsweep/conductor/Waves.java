package io.nightsweep.conductor;

import io.nightsweep.advisor.Advisor;
import io.nightsweep.advisor.Proposal;
import io.nightsweep.measure.Racing;
import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Cause.Need;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Walks the plan: opens a wave, adds to it what its results call for, closes it. */
final class Waves {
  /** The best single profiles that a stack is made of, at most. */
  private static final int STACKED = 3;

  /** A confirmation whose runs fail is topped up to at most this multiple of its plan. */
  private static final int TOP_UP = 2;

  private Waves() {}

  /** Closes the waves whose trials all have their disposition and that want no more. */
  static List<Decision> close(View view) {
    SweepState s = view.state();
    return s.waves().stream()
        .filter(w -> w.isOpen() && isAtRest(s, w))
        .filter(w -> more(view, w).isEmpty())
        .<Decision>map(
            w ->
                new Decision.Append(
                    new Event.WaveClosed(w.wave().name()),
                    "every trial of the wave has its disposition and it wants no more"))
        .toList();
  }

  /** Plans trials when none is waiting to be submitted. */
  static List<Decision> plan(View view) {
    SweepState s = view.state();
    boolean waiting = s.open().values().stream().anyMatch(t -> Trials.isReady(t, true));
    if (waiting || s.clusterOutage().isPresent() || s.storageFailure().isPresent()) {
      return List.of();
    }
    for (WaveState w : s.waves()) {
      if (w.isOpen()) {
        List<Decision> more = more(view, w);
        if (!more.isEmpty()) {
          return more;
        }
        if (choosesByResults(w.wave().kind())) {
          return List.of();
        }
      }
      if (w.isPending()) {
        return open(view, w.wave());
      }
    }
    return List.of();
  }

  private static boolean isAtRest(SweepState s, WaveState w) {
    return w.trials().stream().noneMatch(t -> s.trial(t).isOpen());
  }

  /** Such a wave opens, and goes on, only when all results are in. */
  private static boolean choosesByResults(Wave.Kind kind) {
    return switch (kind) {
      case STACK, RACE, CONFIRM, CROSS_CHECK -> true;
      case PROBE, BASELINE, EVIDENCE, SCREEN -> false;
    };
  }

  private static List<Decision> open(View view, Wave wave) {
    SweepState s = view.state();
    if (choosesByResults(wave.kind()) && !s.open().isEmpty()) {
      return List.of();
    }
    if (wave.kind() == Wave.Kind.SCREEN && Mechanisms.areAwaited(view)) {
      return List.of();
    }
    Optional<Cause> skip = causeToSkip(view, wave);
    if (skip.isPresent()) {
      return skip(wave, skip.get());
    }
    return switch (wave.kind()) {
      case STACK -> openStack(view, wave);
      case RACE -> opened(wave, race(view, wave), Need.REPLICATE_THAT_DECIDES);
      case CONFIRM -> opened(wave, confirm(view, wave), Need.PROFILE_WORTH_CONFIRMING);
      case PROBE, BASELINE, EVIDENCE, SCREEN, CROSS_CHECK ->
          opened(
              wave,
              planned(wave, firstPass(view, wave), "the wave before it is submitted"),
              Need.PROFILE);
    };
  }

  private static Optional<Cause> causeToSkip(View view, Wave wave) {
    if (view.allowance().spendableOn(wave.kind()) <= 0) {
      // A wave of named profiles is opened all the same: each of its trials is then accounted for
      // as dropped.
      return choosesByResults(wave.kind())
          ? Optional.of(new Cause.BudgetSpent(wave.kind()))
          : Optional.empty();
    }
    return switch (wave.when()) {
      case ALWAYS -> Optional.empty();
      case UNTIL_TARGET_MET -> notNeeded(isTargetMet(view), Need.TARGET_NOT_MET);
      case IF_CONTENDER ->
          notNeeded(
              contenders(view).isEmpty()
                  && (wave.kind() != Wave.Kind.RACE || proposals(view).isEmpty()),
              Need.CONTENDER);
      case IF_WINNER -> notNeeded(Standings.winner(view.board()).isEmpty(), Need.WINNER);
    };
  }

  private static Optional<Cause> notNeeded(boolean is, Need need) {
    return is ? Optional.of(new Cause.NotNeeded(need)) : Optional.empty();
  }

  private static List<Trial> firstPass(View view, Wave wave) {
    SweepState s = view.state();
    Blocks blocks = new Blocks(s, wave.name());
    List<String> profiles = wave.profiles().stream().filter(p -> !s.isDropped(p)).toList();
    switch (wave.kind()) {
      case PROBE -> blocks.alone(primary(s), Profile.BASELINE, Purpose.PROBE);
      case EVIDENCE -> {
        List<String> subjects = profiles.isEmpty() ? List.of(Profile.BASELINE) : profiles;
        subjects.forEach(p -> blocks.alone(primary(s), p, Purpose.EVIDENCE));
      }
      case BASELINE -> baseline(s, wave, profiles, blocks);
      case SCREEN -> {
        List<String> ranked = Mechanisms.ranked(s, wave);
        screen(s, wave, ranked, beside(view, wave, ranked), blocks);
      }
      case CROSS_CHECK -> crossCheck(view, wave, blocks);
      case STACK, RACE, CONFIRM -> throw new IllegalStateException(wave.kind() + " has no pass");
    }
    return blocks.trials();
  }

  private static void baseline(SweepState s, Wave wave, List<String> profiles, Blocks blocks) {
    List<String> beside = profiles.stream().filter(p -> !p.equals(Profile.BASELINE)).toList();
    for (int r = 0; r < Math.max(wave.repetitions(), s.spec().policy().baselineRuns()); r++) {
      for (ConfigTag tag : s.spec().configTags()) {
        blocks.compare(tag.name(), beside, Purpose.CONTROL, Purpose.SCREEN);
      }
    }
  }

  /**
   * Contenders that run once more beside profiles that run for the first time: they use the same
   * controls, and the race that follows begins with what they have shown by then.
   */
  private static List<String> beside(View view, Wave wave, List<String> newcomers) {
    int jobs = view.allowance().spendableOn(wave.kind());
    return Racing.advise(view.board(), newcomers.size(), jobs).next()
            instanceof RacingAdvice.Screen next
        ? next.contenders().stream()
            .filter(p -> !view.state().isDropped(p) && !newcomers.contains(p))
            .toList()
        : List.of();
  }

  /**
   * @param beside profiles that run in each block as well
   */
  private static void screen(
      SweepState s, Wave wave, List<String> profiles, List<String> beside, Blocks blocks) {
    int size = s.spec().policy().blockSize();
    for (int r = 0; r < Math.max(1, wave.repetitions()); r++) {
      List<String> order = new ArrayList<>(profiles);
      Collections.shuffle(order, new Random(s.seed() + 31L * wave.name().hashCode() + r));
      for (int from = 0; from < order.size(); from += size) {
        List<String> block =
            new ArrayList<>(order.subList(from, Math.min(order.size(), from + size)));
        block.addAll(beside);
        blocks.compare(primary(s), block, Purpose.CONTROL, Purpose.SCREEN);
      }
    }
  }

  private static void crossCheck(View view, Wave wave, Blocks blocks) {
    SweepState s = view.state();
    Optional<Standing> winner = Standings.winner(view.board());
    if (winner.isEmpty()) {
      return;
    }
    for (int r = 0; r < Math.max(1, wave.repetitions()); r++) {
      for (ConfigTag tag : s.spec().configTags().subList(1, s.spec().configTags().size())) {
        blocks.compare(
            tag.name(),
            List.of(winner.get().profile()),
            Purpose.CROSS_CONTROL,
            Purpose.CROSS_CHECK);
      }
    }
  }

  /** What an open wave wants beyond its first pass. */
  private static List<Decision> more(View view, WaveState w) {
    Wave wave = w.wave();
    if (!isAtRest(view.state(), w) || view.allowance().spendableOn(wave.kind()) <= 0) {
      return List.of();
    }
    return switch (wave.kind()) {
      case RACE -> race(view, wave);
      case CONFIRM -> Standings.winner(view.board()).isPresent() ? List.of() : confirm(view, wave);
      case PROBE, BASELINE, EVIDENCE, SCREEN, STACK, CROSS_CHECK -> List.of();
    };
  }

  private static List<Decision> race(View view, Wave wave) {
    List<Decision> advised = advised(view, wave);
    return advised.isEmpty() ? replicates(view, wave) : advised;
  }

  /** Between waves the advisor is asked; what it proposes is screened and raced like anyone. */
  private static List<Decision> advised(View view, Wave wave) {
    List<Proposal> proposals = proposals(view);
    if (proposals.isEmpty()) {
      return List.of();
    }
    List<Decision> decisions = new ArrayList<>();
    for (Proposal proposal : proposals) {
      decisions.add(
          new Decision.Append(
              new Event.ProfileAdded(proposal.profile(), proposal.because()), proposal.because()));
    }
    Blocks blocks = new Blocks(view.state(), wave.name());
    blocks.compare(
        primary(view.state()),
        proposals.stream().map(p -> p.profile().name()).toList(),
        Purpose.CONTROL,
        Purpose.SCREEN);
    decisions.addAll(planned(wave, blocks.trials(), "candidates that the results so far suggest"));
    return decisions;
  }

  /**
   * As many as fit into a block, into what the budget leaves beside it, and into two blocks ever.
   */
  private static List<Proposal> proposals(View view) {
    SweepState s = view.state();
    int block = s.spec().policy().blockSize();
    long added =
        s.profileOrder().stream()
            .filter(p -> s.spec().profile(p).isEmpty() && s.profile(p).parts().isEmpty())
            .count();
    int affordable = view.allowance().spendableOn(Wave.Kind.RACE) - 1 - block / 2;
    int most = (int) Math.min(Math.min(block, affordable), 2L * block - added);
    return most > 0 && !isTargetMet(view) ? Advisor.next(s, view.board(), most) : List.of();
  }

  private static List<Decision> replicates(View view, Wave wave) {
    return switch (advice(view)) {
      case RacingAdvice.Replicate next -> replicate(view, wave, next.contenders());
      case RacingAdvice.Screen next -> List.of();
      case RacingAdvice.Confirm next -> List.of();
      case RacingAdvice.AwaitConfirmation next -> List.of();
      case RacingAdvice.Conclude next -> List.of();
    };
  }

  private static List<Decision> confirm(View view, Wave wave) {
    SweepState s = view.state();
    return switch (advice(view)) {
      case RacingAdvice.Confirm next -> {
        Blocks blocks = new Blocks(s, wave.name());
        blocks.confirm(primary(s), next.plan().profile(), next.plan().runsPerArm());
        List<Decision> decisions = new ArrayList<>();
        decisions.add(
            new Decision.Append(
                new Event.ConfirmationPlanned(next.plan().profile(), next.plan().runsPerArm()),
                "it leads, and only fresh runs can show that it wins"));
        decisions.addAll(planned(wave, blocks.trials(), "fresh runs of the leader"));
        yield decisions;
      }
      case RacingAdvice.AwaitConfirmation next -> topUp(s, wave, next.profile());
      case RacingAdvice.Replicate next -> replicate(view, wave, next.contenders());
      case RacingAdvice.Screen next -> List.of();
      case RacingAdvice.Conclude next -> List.of();
    };
  }

  /** Runs of a confirmation that failed or were dropped are made up for. */
  private static List<Decision> topUp(SweepState s, Wave wave, String profile) {
    int planned =
        s.confirmations().stream()
            .filter(c -> c.profile().equals(profile))
            .mapToInt(Event.ConfirmationPlanned::runsPerArm)
            .sum();
    long run =
        s.countingTrials()
            .filter(t -> t.trial().purpose() == Purpose.CONFIRM)
            .filter(t -> t.trial().profile().equals(profile))
            .count();
    if (s.isDropped(profile) || run >= (long) TOP_UP * planned) {
      return List.of();
    }
    Blocks blocks = new Blocks(s, wave.name());
    blocks.confirm(primary(s), profile, 1);
    return planned(wave, blocks.trials(), "a run of the confirmation is missing");
  }

  private static List<Decision> replicate(View view, Wave wave, List<String> contenders) {
    SweepState s = view.state();
    List<String> alive = contenders.stream().filter(p -> !s.isDropped(p)).toList();
    if (alive.isEmpty()) {
      return List.of();
    }
    Blocks blocks = new Blocks(s, wave.name());
    blocks.compare(primary(s), alive, Purpose.CONTROL, Purpose.SCREEN);
    return planned(wave, blocks.trials(), "replicates where they decide");
  }

  private static RacingAdvice.Move advice(View view) {
    int jobs = view.allowance().spendableOn(Wave.Kind.CONFIRM);
    return Racing.advise(view.board(), 0, jobs).next();
  }

  private static List<Standing> contenders(View view) {
    SweepState s = view.state();
    return view.board().standings().stream()
        .filter(st -> !s.isDropped(st.profile()))
        .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
        .filter(st -> st.posteriorLogGain() > 0)
        .toList();
  }

  private static boolean isTargetMet(View view) {
    double target = Math.log1p(view.state().spec().policy().targetGain());
    return Standings.winner(view.board())
        .filter(winner -> Standings.publishedLogGain(winner) >= target)
        .isPresent();
  }

  private static List<Decision> openStack(View view, Wave wave) {
    SweepState s = view.state();
    List<String> best =
        contenders(view).stream()
            .map(Standing::profile)
            .filter(p -> s.profile(p).parts().isEmpty())
            .limit(STACKED)
            .toList();
    if (best.size() < 2) {
      return skip(wave, new Cause.NotNeeded(Need.TWO_SINGLES_AHEAD));
    }
    List<Decision> decisions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Profile stack = s.profile(best.getFirst());
    for (String next : best.subList(1, best.size())) {
      stack = stack.stackedWith(s.profile(next));
      names.add(stack.name());
      decisions.add(
          new Decision.Append(
              new Event.ProfileAdded(stack, "its parts lead as singles"),
              "additivity promises more than the best single"));
    }
    Blocks blocks = new Blocks(s, wave.name());
    screen(s, wave, names, List.of(), blocks);
    decisions.addAll(planned(wave, blocks.trials(), "stacks of the leading singles"));
    return opened(wave, decisions, Need.STACK);
  }

  /** Turns the first plan of a wave into its opening. */
  private static List<Decision> opened(Wave wave, List<Decision> plan, Need need) {
    if (plan.isEmpty()) {
      return skip(wave, new Cause.NotNeeded(need));
    }
    return plan.stream()
        .map(
            d ->
                d instanceof Decision.Append append
                        && append.event() instanceof Event.TrialsPlanned planned
                    ? new Decision.Append(
                        new Event.WaveOpened(wave.name(), planned.trials()), append.because())
                    : d)
        .toList();
  }

  private static List<Decision> planned(Wave wave, List<Trial> trials, String because) {
    return trials.isEmpty()
        ? List.of()
        : List.of(
            new Decision.Append(new Event.TrialsPlanned(wave.name(), trials, because), because));
  }

  private static List<Decision> skip(Wave wave, Cause why) {
    return List.of(
        new Decision.Append(
            new Event.WaveSkipped(wave.name(), why), "the wave has nothing to do or to spend"));
  }

  private static String primary(SweepState s) {
    return s.spec().primaryTag().name();
  }
}
