package io.nightsweep.conductor;

import io.nightsweep.measure.ConfirmationPlan;
import io.nightsweep.measure.Racing;
import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans fresh runs of a leader beside fresh baseline runs. They run in the middle of the night as
 * soon as they may show that a leader reaches the target, since the search can end then; otherwise
 * at the plan's end.
 */
final class Confirmations {
  /** A leader is confirmed at once from this chance of reaching the target's gain. */
  private static final double LIKELY = 0.8;

  /** Another profile is confirmed as well from this chance of beating the winner. */
  static final double BETTER = 0.5;

  /** From this chance, a leader is confirmed before the candidates that were kept back run. */
  private static final double DESERVING = 0.25;

  /** A confirmation with failed runs is topped up to at most this multiple of its plan. */
  private static final int TOP_UP = 2;

  private Confirmations() {}

  /** The plan's confirmation wave, while it may still take runs. */
  static Optional<Wave> wave(SweepState s) {
    return s.waves().stream()
        .filter(w -> w.is(Wave.Kind.CONFIRM) && w.isUnfinished())
        .map(WaveState::wave)
        .findFirst();
  }

  /** Whether fresh runs that may end the search are planned or running. */
  static boolean isDecidingTheSearch(View view) {
    return !isAtRest(view.state())
        && awaited(view)
            .flatMap(profile -> view.board().of(profile))
            .filter(st -> isLikelyToReachTheTarget(view, st))
            .isPresent();
  }

  /**
   * Whether a trial is a control that is no longer needed: of a profile that left the sweep before
   * it could be confirmed, or only of profiles that a language model proposed and that are paid
   * from its share.
   */
  static boolean isOrphaned(SweepState s, Trial trial) {
    if (!trial.purpose().isControl() || s.dropped().isEmpty()) {
      return false;
    }
    List<Trial> beside =
        s.trials().values().stream()
            .map(TrialState::trial)
            .filter(t -> t.block() == trial.block() && !t.purpose().isControl())
            .toList();
    return !beside.isEmpty()
        && beside.stream().allMatch(t -> s.isDropped(t.profile()))
        && (trial.purpose() == Purpose.CONFIRM_CONTROL
            || beside.stream().allMatch(t -> s.llm().isOf(s.profile(t.profile()))));
  }

  private static boolean isAtRest(SweepState s) {
    return s.open().values().stream()
        .map(t -> t.trial().purpose())
        .noneMatch(p -> p == Purpose.CONFIRM || p == Purpose.CONFIRM_CONTROL);
  }

  /** The fresh runs that a leader deserves before the search goes on. */
  static List<Decision> early(View view) {
    SweepState s = view.state();
    Optional<Wave> wave = wave(s);
    if (wave.isEmpty() || Search.isTargetMet(view)) {
      return List.of();
    }
    int jobs = view.allowance().spendableOn(wave.get());
    Optional<String> awaited = awaited(view);
    if (awaited.isPresent()) {
      return isAtRest(s) && jobs > 0 ? topUp(s, wave.get(), awaited.get()) : List.of();
    }
    return Search.contenders(view).stream()
        .filter(st -> isWorthwhile(view, st))
        .filter(st -> isLikelyToReachTheTarget(view, st))
        .flatMap(st -> affordable(view, st, jobs).stream())
        .findFirst()
        .map(plan -> planned(s, wave.get(), plan, Statement.phrase("because-may-reach")))
        .orElse(List.of());
  }

  /** At the plan's end: fresh runs of the leader, or replicates if no profile leads clearly. */
  static List<Decision> last(View view, Wave wave) {
    SweepState s = view.state();
    int jobs = view.allowance().spendableOn(wave);
    RacingAdvice.Move move = Search.advice(view, 0, jobs);
    return switch (move) {
      case RacingAdvice.Confirm next -> confirm(view, wave, next.plan().profile(), jobs);
      case RacingAdvice.AwaitConfirmation next -> topUp(s, wave, next.profile());
      case RacingAdvice.Replicate next ->
          Standings.winner(s, view.board()).isPresent()
              ? firstWorthwhile(view, wave, next.contenders(), jobs)
              : replicate(view, wave, next.contenders(), jobs);
      case RacingAdvice.Screen next -> List.of();
      // If the budget is too small for a confirmation, one more run may still rule the profile out.
      case RacingAdvice.Conclude next ->
          Standings.winner(s, view.board()).isPresent() ? List.of() : Waves.replicates(view, wave);
    };
  }

  private static List<Decision> replicate(View view, Wave wave, List<String> contenders, int jobs) {
    List<Decision> more = Waves.replicate(view, wave, contenders);
    List<String> ofLlm =
        contenders.stream().filter(p -> view.state().llm().isOf(view.state().profile(p))).toList();
    // If a profile's share cannot pay for replicates, it is confirmed at once.
    return more.isEmpty() ? firstWorthwhile(view, wave, ofLlm, jobs) : more;
  }

  /** Once the search is over, only fresh runs count. */
  private static List<Decision> firstWorthwhile(
      View view, Wave wave, List<String> profiles, int jobs) {
    return profiles.stream()
        .map(p -> confirm(view, wave, p, jobs))
        .filter(decisions -> !decisions.isEmpty())
        .findFirst()
        .orElse(List.of());
  }

  private static Optional<ConfirmationPlan> affordable(View view, Standing standing, int jobs) {
    return Racing.confirmation(
        standing, view.board(), LlmShare.of(view).of(jobs, standing.profile()));
  }

  private static List<Decision> confirm(View view, Wave wave, String profile, int jobs) {
    return view.board()
        .of(profile)
        .filter(st -> isWorthwhile(view, st) && isDeserving(view, st))
        .flatMap(st -> affordable(view, st, jobs))
        .map(plan -> planned(view.state(), wave, plan, Statement.phrase("because-it-leads")))
        .orElse(List.of());
  }

  /**
   * Whether a profile is confirmed beside a winner: if it is likely to beat the winner or, when the
   * winner is known to lose on another config tag, if it is likely to gain. Once the winner has
   * reached the target, further candidates are not needed, but a better one that has already run is
   * still confirmed.
   */
  private static boolean isWorthwhile(View view, Standing standing) {
    return Standings.winner(view.state(), view.board())
        .map(winner -> Search.isConfirmable(view, standing, winner, BETTER))
        .orElse(true);
  }

  private static boolean isDeserving(View view, Standing standing) {
    return standing.promise() >= DESERVING
        || view.state().open().values().stream().noneMatch(view::isKeptBack);
  }

  private static boolean isLikelyToReachTheTarget(View view, Standing standing) {
    return view.board().probabilityAtLeast(standing, Search.targetLogGain(view.state())) >= LIKELY;
  }

  private static Optional<String> awaited(View view) {
    return Search.advice(view, 0, 0) instanceof RacingAdvice.AwaitConfirmation next
        ? Optional.of(next.profile())
        : Optional.empty();
  }

  private static List<Decision> planned(
      SweepState s, Wave wave, ConfirmationPlan plan, Statement because) {
    Blocks blocks = new Blocks(s, wave.name());
    blocks.confirm(s.spec().primaryTag().name(), plan.profile(), plan.runsPerArm());
    List<Decision> decisions = new ArrayList<>();
    decisions.add(
        new Decision.Append(
            new Event.ConfirmationPlanned(plan.profile(), plan.runsPerArm()), because));
    decisions.addAll(Waves.planned(wave, blocks.trials(), Statement.phrase("because-fresh")));
    return Waves.openedIfPending(s, wave, decisions);
  }

  /** Plans replacements for runs of a confirmation that failed or were dropped. */
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
    blocks.confirm(s.spec().primaryTag().name(), profile, 1);
    return Waves.openedIfPending(
        s, wave, Waves.planned(wave, blocks.trials(), Statement.phrase("because-missing")));
  }
}
