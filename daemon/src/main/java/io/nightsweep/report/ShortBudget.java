package io.nightsweep.report;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Standings;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A finished sweep whose budget did not carry its plan.
 *
 * @param waves that the budget cut
 * @param given as a sweep file writes it
 * @param enough an estimate of a budget that carries all, by the jobs so far
 */
public record ShortBudget(List<String> waves, String given, String enough) {
  public ShortBudget {
    waves = List.copyOf(waves);
  }

  /** Empty for a sweep that goes on, that people ended, or whose budget was enough. */
  public static Optional<ShortBudget> of(SweepState s) {
    List<String> cut = Conclusion.cut(s);
    return s.phase() instanceof Phase.Finished f
            && f.outcome() != Event.SweepFinished.SweepOutcome.STOPPED
            && !cut.isEmpty()
        ? Optional.of(
            new ShortBudget(cut, text(s.budget()), text(grown(s, s.jobsTaken() + missing(s, cut)))))
        : Optional.empty();
  }

  /** A sentence for messages and terminals. */
  public String sentence(Phrases t) {
    return t.text("outcome.budget-spent", given, String.join(", ", waves), enough);
  }

  /**
   * Trials that were dropped for want of budget, and what the waves that were skipped would have
   * taken: all behind the first one that was cut, where nothing is confirmed.
   */
  private static int missing(SweepState s, List<String> cut) {
    long dropped =
        s.trials().values().stream()
            .flatMap(t -> t.disposition().stream())
            .filter(
                d ->
                    d instanceof Disposition.Dropped drop
                        && drop.why() instanceof Cause.BudgetSpent)
            .count();
    boolean isWon = Standings.winner(s).isPresent();
    int skipped = 0;
    boolean isBehind = false;
    for (WaveState w : s.waves()) {
      isBehind |= cut.contains(w.wave().name());
      if (w.skipped().isPresent() && (isWon ? cut.contains(w.wave().name()) : isBehind)) {
        skipped += Forecast.expected(s, w.wave());
      }
    }
    return (int) dropped + skipped;
  }

  /**
   * Each limit, as far as it has to grow for so many jobs like those so far; in place of an hour of
   * the day stand the hours from the start.
   */
  private static Budget grown(SweepState s, int jobs) {
    Budget given = s.budget();
    double times = (double) jobs / Math.max(1, s.jobsTaken());
    Duration took = s.elapsed(s.lastEventAt());
    Duration takes = Duration.ofMillis(Math.round(times * took.toMillis()));
    double nodeHours = times * s.nodeTime(s.lastEventAt()).toMillis() / 3.6e6;
    return new Budget(
        given.jobs().map(limit -> Math.max(limit, jobs)),
        given
            .duration()
            .map(limit -> limit.compareTo(takes) < 0 ? takes : limit)
            .or(() -> given.until().map(until -> takes)),
        Optional.empty(),
        given.nodeHours().map(limit -> Math.max(limit, nodeHours)));
  }

  /** As a sweep file writes it. */
  private static String text(Budget budget) {
    List<String> limits = new ArrayList<>();
    budget.jobs().ifPresent(jobs -> limits.add("jobs: " + jobs));
    budget.duration().ifPresent(d -> limits.add("hours: " + rounded(d.toMillis() / 3.6e6)));
    budget.nodeHours().ifPresent(hours -> limits.add("nodeHours: " + rounded(hours)));
    budget.until().ifPresent(u -> limits.add("until: " + u));
    return "{" + String.join(", ", limits) + "}";
  }

  /** Upwards, since a little less is too little. */
  private static String rounded(double hours) {
    return String.format(Locale.ROOT, "%.1f", Math.ceil(10 * hours - 1e-9) / 10);
  }
}
