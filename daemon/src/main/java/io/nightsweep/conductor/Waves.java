package io.nightsweep.conductor;

import io.nightsweep.advisor.AdvisedProfile;
import io.nightsweep.advisor.Advisor;
import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Cause.Need;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Walks through the plan: opens a wave, adds the trials that its results require, closes it. */
final class Waves {
  private Waves() {}

  /** Closes waves that need no more trials and whose trials all have a disposition. */
  static List<Decision> close(View view) {
    SweepState s = view.state();
    return s.waves().stream()
        .filter(w -> w.isOpen() && isAtRest(s, w) && !isStillAwaited(s, w))
        .filter(w -> more(view, w).isEmpty() && !NodeGate.isHolding(s, w.wave()))
        .<Decision>map(
            w ->
                new Decision.Append(
                    new Event.WaveClosed(w.wave().name()), Statement.phrase("because-wave-over")))
        .toList();
  }

  /** Plans trials when no trial waits to be submitted. */
  static List<Decision> plan(View view) {
    SweepState s = view.state();
    boolean waiting = Fit.deciding(view).stream().anyMatch(t -> Trials.isReady(s, t));
    if (waiting || !Turns.mayBegin(s) || s.clusterOutage().isPresent()) {
      return List.of();
    }
    if (Programs.areAwaited(view)) {
      // A replicate might repeat a program that already runs; the program is read within seconds.
      return List.of();
    }
    List<Decision> urgent = urgent(view);
    if (!urgent.isEmpty() || Confirmations.isDecidingTheSearch(view) || isBeingChecked(view)) {
      return urgent;
    }
    for (WaveState w : s.waves()) {
      if (w.isOpen()) {
        List<Decision> more = more(view, w);
        if (!more.isEmpty()) {
          return more;
        }
        if (w.wave().kind().choosesByResults()) {
          return List.of();
        }
      }
      if (w.isPending()) {
        return open(view, w.wave());
      }
    }
    return List.of();
  }

  /** Runs that may end the search come before further candidates. */
  private static List<Decision> urgent(View view) {
    List<Decision> check =
        Search.reached(view)
            .flatMap(winner -> CrossChecks.wave(view.state()))
            .filter(wave -> view.allowance().spendableOn(wave) > 0)
            .map(wave -> CrossChecks.early(view, wave))
            .orElse(List.of());
    return check.isEmpty() && !isBeingChecked(view) ? Confirmations.early(view) : check;
  }

  /** Whether runs are in progress that show if a winner of the target's size holds on every tag. */
  private static boolean isBeingChecked(View view) {
    SweepState s = view.state();
    return Search.reached(view).isPresent()
        && s.waves().stream()
            .filter(w -> w.is(Wave.Kind.CROSS_CHECK) && w.isOpen())
            .anyMatch(w -> !isAtRest(s, w));
  }

  /**
   * Whether a race or a confirmation stays open because an earlier wave may still find a better
   * profile.
   */
  private static boolean isStillAwaited(SweepState s, WaveState w) {
    return Allowance.isStanding(w.wave().kind())
        && s.waves().subList(0, s.waves().indexOf(w)).stream()
            .anyMatch(earlier -> earlier.isOpen() || earlier.isPending());
  }

  private static boolean isAtRest(SweepState s, WaveState w) {
    return w.trials().stream().noneMatch(t -> s.trial(t).isOpen());
  }

  private static List<Decision> open(View view, Wave wave) {
    SweepState s = view.state();
    if (wave.kind().choosesByResults() && !Fit.deciding(view).isEmpty()) {
      return List.of();
    }
    if (wave.kind() == Wave.Kind.SCREEN
        && (Mechanisms.areAwaited(view) || Unaddressed.isAwaited(s, wave))) {
      return List.of();
    }
    if (LlmRounds.isAwaited(view, wave)) {
      return List.of();
    }
    if (Unaddressed.isRefused(s, wave)) {
      return skip(wave, new Cause.SkippedByCommand());
    }
    Optional<Cause> skip = causeToSkip(view, wave);
    List<Decision> opening = skip.isPresent() ? skip(wave, skip.get()) : openNeeded(view, wave);
    // A candidate that was kept back may still become the missing contender.
    boolean early = skip.equals(need(Need.CONTENDER)) || wave.kind() == Wave.Kind.CONFIRM;
    return early && isSkip(opening) && !s.open().isEmpty() ? List.of() : opening;
  }

  private static boolean isSkip(List<Decision> decisions) {
    return decisions.stream()
        .anyMatch(d -> d instanceof Decision.Append a && a.event() instanceof Event.WaveSkipped);
  }

  private static List<Decision> openNeeded(View view, Wave wave) {
    return switch (wave.kind()) {
      case STACK -> openStack(view, wave);
      case RACE -> opened(wave, race(view, wave), Need.REPLICATE_THAT_DECIDES);
      case CONFIRM -> opened(wave, Confirmations.last(view, wave), Need.PROFILE_WORTH_CONFIRMING);
      case CROSS_CHECK -> opened(wave, CrossChecks.next(view, wave), Need.WINNER);
      case WINNER_EVIDENCE -> opened(wave, WinnerEvidence.run(view, wave), Need.WINNER);
      case PROBE, BASELINE, EVIDENCE, SCREEN, NODE_GATE ->
          opened(
              wave,
              planned(wave, FirstRuns.of(view, wave), Statement.phrase("because-wave-before")),
              Need.PROFILE);
    };
  }

  private static Optional<Cause> causeToSkip(View view, Wave wave) {
    // A wave of named profiles is opened anyway, so that each of its trials is recorded as dropped.
    return notNeeded(view, wave)
        .or(
            () ->
                wave.kind().choosesByResults() && view.allowance().spendableOn(wave) <= 0
                    ? Optional.<Cause>of(new Cause.BudgetSpent(wave.kind()))
                    : Optional.empty());
  }

  /** Why the wave is to be skipped regardless of the budget. */
  static Optional<Cause> notNeeded(View view, Wave wave) {
    return switch (wave.when()) {
      case ALWAYS -> Optional.empty();
      case UNTIL_TARGET_MET ->
          Search.isTargetMet(view) ? need(Need.TARGET_NOT_MET) : Search.hopeless(view);
      case IF_CONTENDER -> withoutContender(view, wave);
      case IF_WINNER ->
          Standings.winner(view.state(), view.board()).isEmpty()
              ? need(Need.WINNER)
              : Optional.empty();
    };
  }

  private static Optional<Cause> need(Need need) {
    return Optional.of(new Cause.NotNeeded(need));
  }

  private static Optional<Cause> withoutContender(View view, Wave wave) {
    if (Search.isTargetMet(view) && wave.kind() != Wave.Kind.CONFIRM) {
      return need(Need.TARGET_NOT_MET);
    }
    boolean none =
        wave.kind() == Wave.Kind.RACE
            ? !Search.isAnyWorthARun(view) && proposals(view, wave).isEmpty()
            : Search.contenders(view).stream()
                .noneMatch(standing -> Search.isWorthARun(view.state(), standing));
    if (none) {
      return need(Need.CONTENDER);
    }
    if (wave.kind() == Wave.Kind.STACK && Stacks.of(view).isEmpty()) {
      return need(Need.TWO_SINGLES_AHEAD);
    }
    return Search.hopeless(view);
  }

  /** What an open wave needs beyond its first pass. */
  private static List<Decision> more(View view, WaveState w) {
    Wave wave = w.wave();
    if (!isAtRest(view.state(), w) || view.allowance().spendableOn(wave) <= 0) {
      return List.of();
    }
    return switch (wave.kind()) {
      case RACE -> race(view, wave);
      case CONFIRM -> Confirmations.last(view, wave);
      case CROSS_CHECK -> CrossChecks.next(view, wave);
      case PROBE, BASELINE, EVIDENCE, SCREEN, STACK, WINNER_EVIDENCE, NODE_GATE -> List.of();
    };
  }

  private static List<Decision> race(View view, Wave wave) {
    List<Decision> advised = advised(view, wave);
    return advised.isEmpty() ? replicates(view, wave) : advised;
  }

  /**
   * Gets proposals from the advisor between waves; these are screened and raced like any other
   * candidate.
   */
  private static List<Decision> advised(View view, Wave wave) {
    List<AdvisedProfile> proposals = proposals(view, wave);
    if (proposals.isEmpty()) {
      return List.of();
    }
    List<Decision> decisions = new ArrayList<>();
    for (AdvisedProfile proposal : proposals) {
      decisions.add(
          new Decision.Append(new Event.ProfileAdded(proposal.profile()), proposal.because()));
    }
    Blocks blocks = new Blocks(view.state(), wave.name());
    blocks.compare(
        primary(view.state()),
        proposals.stream().map(p -> p.profile().name()).toList(),
        Purpose.CONTROL,
        Purpose.SCREEN);
    decisions.addAll(planned(wave, blocks.trials(), Statement.phrase("because-suggested")));
    return decisions;
  }

  /**
   * Limits the number of proposals by one block, by the rest of the budget, and by two blocks over
   * the whole sweep.
   */
  private static List<AdvisedProfile> proposals(View view, Wave race) {
    SweepState s = view.state();
    int block = s.spec().policy().blockSize();
    long added =
        s.profileOrder().stream()
            .filter(p -> s.spec().profile(p).isEmpty() && s.profile(p).parts().isEmpty())
            .filter(p -> s.waves().stream().noneMatch(w -> w.wave().profiles().contains(p)))
            .count();
    int affordable = view.allowance().spendableOn(race) - 1 - block / 2;
    int most = (int) Math.min(Math.min(block, affordable), 2L * block - added);
    return most > 0 && !Search.isTargetMet(view) ? Advisor.next(s, view.board(), most) : List.of();
  }

  static List<Decision> replicates(View view, Wave wave) {
    // The allowance already reserves what later waves need.
    int jobs = view.allowance().spendableOn(wave);
    return switch (Search.advice(view, 0, Integer.MAX_VALUE / 2)) {
      case RacingAdvice.Replicate next ->
          replicate(
              view,
              wave,
              next.contenders().subList(0, Math.clamp(jobs - 1, 0, next.contenders().size())));
      case RacingAdvice.Screen next -> List.of();
      case RacingAdvice.Confirm next -> List.of();
      case RacingAdvice.AwaitConfirmation next -> List.of();
      case RacingAdvice.Conclude next -> List.of();
    };
  }

  static List<Decision> replicate(View view, Wave wave, List<String> contenders) {
    SweepState s = view.state();
    LlmShare share = LlmShare.of(view);
    List<String> alive =
        contenders.stream()
            .filter(p -> Search.isWorthARun(view, p) && share.hasRoomForAnotherRunOf(p))
            .toList();
    if (alive.isEmpty()) {
      return List.of();
    }
    Blocks blocks = new Blocks(s, wave.name());
    blocks.compare(primary(s), alive, Purpose.CONTROL, Purpose.SCREEN);
    return planned(wave, blocks.trials(), Statement.phrase("because-replicates"));
  }

  private static List<Decision> openStack(View view, Wave wave) {
    SweepState s = view.state();
    List<Profile> stacks = Stacks.of(view);
    List<Decision> decisions = new ArrayList<>();
    for (Profile stack : stacks) {
      decisions.add(
          new Decision.Append(
              new Event.ProfileAdded(stack), Statement.phrase("because-additivity")));
    }
    Blocks blocks = new Blocks(s, wave.name());
    FirstRuns.screen(s, wave, stacks.stream().map(Profile::name).toList(), List.of(), blocks);
    decisions.addAll(planned(wave, blocks.trials(), Statement.phrase("because-stacks")));
    return opened(wave, decisions, Need.TWO_SINGLES_AHEAD);
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

  /** The same plan, which also opens the wave if it is not open yet. */
  static List<Decision> openedIfPending(SweepState s, Wave wave, List<Decision> plan) {
    boolean opens = !plan.isEmpty() && s.wave(wave.name()).orElseThrow().isPending();
    return opens ? opened(wave, plan, Need.PROFILE) : plan;
  }

  static List<Decision> planned(Wave wave, List<Trial> trials, Statement because) {
    return trials.isEmpty()
        ? List.of()
        : Decision.append(new Event.TrialsPlanned(wave.name(), trials), because);
  }

  private static List<Decision> skip(Wave wave, Cause why) {
    return Decision.append(
        new Event.WaveSkipped(wave.name(), why), Statement.phrase("because-nothing-to-spend"));
  }

  private static String primary(SweepState s) {
    return s.spec().primaryTag().name();
  }
}
