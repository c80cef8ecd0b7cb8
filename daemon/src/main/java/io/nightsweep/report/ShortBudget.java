package io.nightsweep.report;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A finished sweep with a budget too small for its plan.
 *
 * @param waves that the budget cut
 * @param given in a sweep file's notation
 * @param enough an estimate of a sufficient budget, from the jobs so far
 */
public record ShortBudget(List<String> waves, String given, String enough) {
  public ShortBudget {
    waves = List.copyOf(waves);
  }

  /** Empty for a sweep that goes on, that people ended, or that had enough budget. */
  public static Optional<ShortBudget> of(SweepState s) {
    List<String> cut = Conclusion.cut(s);
    return s.phase() instanceof Phase.Finished f
            && f.outcome() != Event.SweepFinished.SweepOutcome.STOPPED
            && !cut.isEmpty()
        ? Optional.of(new ShortBudget(cut, text(s.budget()), text(grown(s, missing(s, cut)))))
        : Optional.empty();
  }

  /** A sentence for messages and terminals. */
  public String sentence(Phrases t) {
    return t.text("outcome.budget-spent", given, String.join(", ", waves), enough);
  }

  /**
   * The missing jobs: trials that were dropped for lack of budget, and jobs that the later waves
   * would still have used; in a sweep with a winner, only the later waves that were skipped.
   */
  private static int missing(SweepState s, List<String> cut) {
    long missing =
        s.trials().values().stream()
            .flatMap(t -> t.disposition().stream())
            .filter(
                d ->
                    d instanceof Disposition.Dropped drop
                        && drop.why() instanceof Cause.BudgetSpent)
            .count();
    boolean isWon = Standings.winner(s).isPresent();
    boolean isBehind = false;
    for (WaveState w : s.waves()) {
      isBehind |= cut.contains(w.wave().name());
      if (isBehind && !(isWon && w.skipped().isEmpty())) {
        missing += Math.max(0, Forecast.expected(s, w.wave()) - w.trials().size());
      }
    }
    return Math.toIntExact(missing);
  }

  /**
   * Each limit, increased as far as this many more jobs like those so far require; an hour of the
   * day becomes hours from the start. If the number of jobs was too small, unused jobs were
   * reserved for later waves and are needed again.
   */
  private static Budget grown(SweepState s, int missing) {
    Budget given = s.budget();
    int taken = Math.max(1, s.jobsTaken());
    double times = (double) (taken + missing) / taken;
    Duration took = s.elapsed(s.lastEventAt());
    Duration takes = Duration.ofMillis(Math.round(times * took.toMillis()));
    double nodeHours = times * Hours.of(s.nodeTime(s.lastEventAt()));
    boolean hadTime =
        given.duration().stream().allMatch(limit -> limit.compareTo(takes) >= 0)
            && given.until().isEmpty()
            && given.nodeHours().stream().allMatch(limit -> limit >= nodeHours);
    return new Budget(
        given.jobs().map(limit -> hadTime ? limit + missing : Math.max(limit, taken + missing)),
        given
            .duration()
            .map(limit -> limit.compareTo(takes) < 0 ? takes : limit)
            .or(() -> given.until().map(until -> takes)),
        Optional.empty(),
        given.nodeHours().map(limit -> Math.max(limit, nodeHours)));
  }

  /** A budget in a sweep file's notation. */
  private static String text(Budget budget) {
    List<String> limits = new ArrayList<>();
    budget.jobs().ifPresent(jobs -> limits.add("jobs: " + jobs));
    budget.duration().ifPresent(d -> limits.add("hours: " + Hours.roundedUp(Hours.of(d))));
    budget.nodeHours().ifPresent(hours -> limits.add("nodeHours: " + Hours.roundedUp(hours)));
    budget.until().ifPresent(u -> limits.add("until: " + u));
    return "{" + String.join(", ", limits) + "}";
  }
}
