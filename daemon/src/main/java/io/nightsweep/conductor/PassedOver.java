package io.nightsweep.conductor;

import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A profile that shows a larger gain than the winner of a finished sweep but was not pursued.
 * Readers of the leaderboard ask why.
 *
 * @param standing of the profile; its published gain is greater than the winner's
 */
public record PassedOver(Standing standing, Reason reason) {
  /** Why the profile was not pursued. */
  public sealed interface Reason {
    /** It left the sweep. */
    record Left(Cause why) implements Reason {}

    /** It is also confirmed, but loses on these config tags. */
    record Regresses(List<String> tags) implements Reason {
      public Regresses {
        tags = List.copyOf(tags);
      }
    }

    /** Its fresh runs do not show a certain gain. */
    record Unconfirmed(int runs, Interval interval) implements Reason {}

    /**
     * The winner had reached the target, which ends the search.
     *
     * @param targetPercent the policy's target
     */
    record TargetReached(double targetPercent) implements Reason {}

    /**
     * All its runs together give it little chance to beat the winner: one or a few runs may be
     * luck.
     *
     * @param neededPercent the chance of beating the winner by more than the margin of equivalence
     *     that a profile needs to be confirmed beside it
     */
    record Unlikely(double neededPercent) implements Reason {}

    /** The budget had nothing left for fresh runs of the profile. */
    record NoBudget() implements Reason {}
  }

  /**
   * All such profiles, the largest gain first; empty while the sweep goes on, since each may still
   * be pursued.
   *
   * @param board of {@code s}
   */
  public static List<PassedOver> of(SweepState s, Leaderboard board) {
    Optional<Standing> winner = Standings.winner(s, board);
    if (winner.isEmpty() || !s.isFinished()) {
      return List.of();
    }
    return board.standings().stream()
        .filter(st -> !st.profile().equals(winner.get().profile()))
        .filter(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
        .filter(st -> Standings.publishedLogGain(st) > Standings.publishedLogGain(winner.get()))
        .sorted(Comparator.comparingDouble(Standings::publishedLogGain).reversed())
        .map(st -> new PassedOver(st, reason(s, board, st, winner.get())))
        .toList();
  }

  private static Reason reason(SweepState s, Leaderboard board, Standing other, Standing winner) {
    if (other.verdict() instanceof Verdict.Unsafe unsafe) {
      return new Reason.Left(unsafe.why());
    }
    Event.ProfileDropped dropped = s.dropped().get(other.profile());
    if (dropped != null) {
      return new Reason.Left(dropped.why());
    }
    List<String> lost =
        CrossChecks.regressions(s, other.profile()).stream().map(ConfigTag::name).toList();
    if (!lost.isEmpty()) {
      return new Reason.Regresses(lost);
    }
    if (other.confirmation().filter(c -> c.complete()).isPresent()) {
      return new Reason.Unconfirmed(other.verdict().runs(), other.verdict().interval());
    }
    double least =
        Standings.publishedLogGain(winner) + Math.log1p(s.spec().policy().equivalenceMargin());
    double chance = board.probabilityAtLeast(other, least);
    if (Standings.publishedLogGain(winner) >= Search.targetLogGain(s)) {
      return new Reason.TargetReached(100 * s.spec().policy().targetGain());
    }
    return chance < Confirmations.BETTER
        ? new Reason.Unlikely(100 * Confirmations.BETTER)
        : new Reason.NoBudget();
  }
}
