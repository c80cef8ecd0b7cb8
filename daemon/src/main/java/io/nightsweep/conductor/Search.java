package io.nightsweep.conductor;

import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Racing;
import io.nightsweep.measure.RacingAdvice;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event.ProfileDropped.DropCause;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides when the search for a better profile is over: the target is reached, or nothing is left.
 */
final class Search {
  /** A profile is given up below this chance of gaining more than the policy's hopeless gain. */
  static final double HOPE = 0.02;

  private Search() {}

  /** The race's advice for the profiles that are still in the sweep. */
  static RacingAdvice.Move advice(View view, int waiting, int jobsLeft) {
    SweepState s = view.state();
    return Racing.advise(
            view.board(), s.dropped().keySet(), st -> isWorthARun(s, st), waiting, jobsLeft)
        .next();
  }

  /** Whether a confirmed gain reaches the target and no config tag regresses. */
  static boolean isTargetMet(View view) {
    return reached(view)
        .filter(winner -> CrossChecks.holdsEverywhere(view.state(), winner.profile()))
        .isPresent();
  }

  /** The winner, if its published gain reaches the target. */
  static Optional<Standing> reached(View view) {
    double target = targetLogGain(view.state());
    return Standings.winner(view.state(), view.board())
        .filter(winner -> Standings.publishedLogGain(winner) >= target);
  }

  static double targetLogGain(SweepState s) {
    return Math.log1p(s.spec().policy().targetGain());
  }

  /** Profiles that may still gain over the baseline. */
  static List<Standing> contenders(View view) {
    return candidates(view).filter(st -> st.posteriorLogGain() > 0).toList();
  }

  /**
   * Why the search ends without a winner before all candidates have run; empty while it goes on.
   * The procedure's rule: it ends after a given number of profiles if none gains more than a
   * little. It skips the rest of the catalogs; profiles that a person wrote are still run.
   */
  static Optional<Cause> hopeless(View view) {
    SweepState s = view.state();
    Set<String> tested = tested(s);
    // Profiles of a language model must not end the search for those of the catalogs.
    long counting = tested.stream().filter(p -> !s.llm().isOf(s.profile(p))).count();
    return isOfCatalogs(s)
            && counting >= s.spec().policy().hopelessProfiles()
            && !isOwnLeft(s, tested)
            && !Repeats.isAnyAwaited(view)
            && !hasHope(s, view.board())
        ? Optional.of(new Cause.Bounded(tested.size(), 100 * s.spec().policy().hopelessGain()))
        : Optional.empty();
  }

  /**
   * Whether the candidates come from catalogs. Catalog candidates compete for a budget that is too
   * small for all; a list that a person wrote is run to its end.
   */
  static boolean isOfCatalogs(SweepState s) {
    return !s.spec().plan().candidates().isEmpty();
  }

  /**
   * Whether any profile deserves another run. After one run in a noisy night, the best profile may
   * look worse than the baseline.
   */
  static boolean isAnyWorthARun(View view) {
    return candidates(view).anyMatch(st -> isWorthARun(view.state(), st));
  }

  private static Stream<Standing> candidates(View view) {
    return view.board().standings().stream()
        .filter(st -> !view.state().isDropped(st.profile()))
        .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV));
  }

  /** Whether a profile that is still in the sweep deserves another run. */
  static boolean isWorthARun(View view, String profile) {
    return !view.state().isDropped(profile)
        && view.board().of(profile).filter(st -> isWorthARun(view.state(), st)).isPresent();
  }

  /** Whether the result of a further run of the profile is worth the job. */
  static boolean isWorthARun(SweepState s, Standing standing) {
    return isOfCatalogs(s) ? Racing.isPromising(standing) : Racing.mayGain(standing);
  }

  /** Whether a profile that is not from a catalog waits for its first run. */
  private static boolean isOwnLeft(SweepState s, Set<String> tested) {
    return untested(s, tested).anyMatch(p -> !s.spec().plan().candidates().containsKey(p));
  }

  /**
   * Profiles without a first result. A wave chooses its profiles when it opens, so all profiles of
   * a family of waves count while any of its waves is pending.
   */
  private static Stream<String> untested(SweepState s, Set<String> tested) {
    Set<String> pending =
        s.waves().stream()
            .filter(w -> w.is(Wave.Kind.SCREEN) && w.isPending())
            .map(w -> Mechanisms.family(w.wave().name()))
            .collect(Collectors.toSet());
    Stream<String> planned =
        s.waves().stream()
            .filter(w -> pending.contains(Mechanisms.family(w.wave().name())))
            .flatMap(w -> w.wave().profiles().stream());
    Stream<String> underWay =
        s.open().values().stream()
            .map(TrialState::trial)
            .filter(t -> t.purpose() == Trial.Purpose.SCREEN)
            .map(Trial::profile);
    return Stream.concat(planned, underWay)
        .filter(p -> !p.equals(Profile.BASELINE_NO_ENV))
        .filter(p -> !tested.contains(p) && !s.isDropped(p))
        .distinct();
  }

  /**
   * As {@link #hopeless}, at the plan's end, if the plan has fewer candidates than the rule
   * requires.
   */
  static Optional<SweepEnding> bounded(View view) {
    SweepState s = view.state();
    // A profile that was measured and then failed, or that was implausibly fast, gives no answer.
    Set<String> tested = tested(s);
    tested.removeIf(p -> s.isDropped(p, DropCause.FAILED));
    boolean all =
        s.waves().stream()
            .filter(w -> w.is(Wave.Kind.SCREEN))
            .flatMap(w -> w.wave().profiles().stream())
            .filter(p -> !p.equals(Profile.BASELINE_NO_ENV))
            .allMatch(p -> tested.contains(p) || isRuledOut(s, p));
    boolean enough = all || tested.size() >= s.spec().policy().hopelessProfiles();
    return enough && !tested.isEmpty() && !hasHope(s, view.board())
        ? Optional.of(bounded(s, tested, view.board()))
        : Optional.empty();
  }

  /** Whether a profile that was tested, or certainly will be, may still be confirmed. */
  static boolean mayConfirm(View view) {
    return hasHope(view.state(), view.board()) || isUntestedLeft(view.state());
  }

  /**
   * Whether another profile may still be confirmed beside the winner, if there is one. While the
   * search goes on, it must have a chance to beat the winner; if the winner is known to lose on
   * another config tag, any profile may be.
   */
  static boolean mayConfirmMore(View view) {
    SweepState s = view.state();
    Optional<Standing> winner = Standings.winner(view.state(), view.board());
    if (winner.isEmpty()) {
      return mayConfirm(view);
    }
    if (isTargetMet(view)) {
      return false;
    }
    return isUntestedLeft(s)
        || contenders(view).stream().anyMatch(st -> isConfirmable(view, st, winner.get(), HOPE));
  }

  /**
   * Whether a profile behind a winner is worth fresh runs.
   *
   * @param chance required chance that it beats the winner by more than the margin of equivalence
   *     or, if the winner is known to lose on another config tag, that it gains more than a little
   */
  static boolean isConfirmable(View view, Standing other, Standing winner, double chance) {
    SweepState s = view.state();
    Policy policy = s.spec().policy();
    if (other.verdict() instanceof Verdict.Win || !Racing.mayGain(other)) {
      return false;
    }
    boolean regresses = !CrossChecks.regressions(s, winner.profile()).isEmpty();
    double least =
        regresses
            ? Math.log1p(policy.worthwhileGain() / 2)
            : Standings.publishedLogGain(winner) + Math.log1p(policy.equivalenceMargin());
    return CrossChecks.regressions(s, other.profile()).isEmpty()
        && view.board().probabilityAtLeast(other, least) >= chance;
  }

  private static boolean isUntestedLeft(SweepState s) {
    return untestedLeft(s) > 0;
  }

  /** Candidates without a first result, except those that were put off. */
  static long untestedLeft(SweepState s) {
    Set<String> putOff = Fit.putOff(s);
    return untested(s, tested(s)).filter(p -> !putOff.contains(p)).count();
  }

  /**
   * Whether a profile may gain more than a little. If the nodes are too noisy to show a gain of the
   * target's size, no profile is ruled out.
   */
  private static boolean hasHope(SweepState s, Leaderboard board) {
    double little = Math.log1p(s.spec().policy().hopelessGain());
    return Standings.winner(s, board).isPresent()
        || board.standings().stream()
            .filter(st -> !s.isDropped(st.profile()))
            .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
            .anyMatch(
                st ->
                    board.probabilityAtLeast(st, little) >= HOPE
                        || !board.wouldShow(st, targetLogGain(s)));
  }

  private static SweepEnding bounded(SweepState s, Set<String> tested, Leaderboard board) {
    return new SweepEnding.Bounded(
        tested.size(),
        100 * s.spec().policy().hopelessGain(),
        board.standings().stream()
            .filter(st -> tested.contains(st.profile()) && !Programs.isInert(s, st.profile()))
            .findFirst()
            .map(
                st ->
                    new SweepEnding.BestTested(
                        st.profile(), Interval.percent(st.estimate().logGain()))));
  }

  /** Candidates with a result: measured, or given up as losing while they ran. */
  static Set<String> tested(SweepState s) {
    Set<String> tested = new LinkedHashSet<>();
    s.countingTrials()
        .filter(t -> t.trial().purpose() == Trial.Purpose.SCREEN && hasAnswer(s, t))
        .map(t -> t.trial().profile())
        .filter(p -> !p.equals(Profile.BASELINE_NO_ENV))
        .forEach(tested::add);
    return tested;
  }

  /** Whether no trial of a first look contains the profile. */
  static boolean isUntried(SweepState s, String profile) {
    return s.countingTrials()
        .map(t -> t.trial())
        .noneMatch(t -> t.purpose() == Trial.Purpose.SCREEN && t.profile().equals(profile));
  }

  private static boolean hasAnswer(SweepState s, TrialState t) {
    return t.disposition().filter(Disposition.Measured.class::isInstance).isPresent()
        || s.isDropped(t.trial().profile(), DropCause.RACED_OUT);
  }

  /**
   * Whether something other than a person's wish shows that the profile cannot be the answer. An
   * implausibly fast profile may still be the answer, since nobody has checked it yet.
   */
  private static boolean isRuledOut(SweepState s, String profile) {
    return s.isDropped(profile)
        && !s.isDropped(profile, DropCause.SKIPPED)
        && !Conclusion.implausible(s).contains(profile);
  }
}
