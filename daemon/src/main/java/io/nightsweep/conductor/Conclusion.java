package io.nightsweep.conductor;

import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Event.SweepFinished.Outcome;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.util.Locale;
import java.util.Optional;

/** What a sweep that is walked to its end has found. */
public record Conclusion(Outcome outcome, String text) {

  static Conclusion of(View view) {
    SweepState s = view.state();
    Optional<Standing> winner = Standings.winner(view.board());
    if (winner.isPresent()) {
      return new Conclusion(
          Outcome.WINNER,
          String.format(
              Locale.ROOT,
              "%s wins by %+.2f %% over %d fresh runs.",
              winner.get().profile(),
              Interval.percent(Standings.publishedLogGain(winner.get())),
              winner.get().verdict().runs()));
    }
    boolean starved =
        s.waves().stream()
                .map(WaveState::skipped)
                .flatMap(Optional::stream)
                .anyMatch(reason -> reason.startsWith(Waves.BUDGET))
            || s.trials().values().stream()
                .flatMap(t -> t.disposition().stream())
                .anyMatch(
                    d ->
                        d instanceof io.nightsweep.sweep.Disposition.Dropped dropped
                            && dropped.reason().startsWith(Waves.BUDGET));
    return starved
        ? new Conclusion(Outcome.BUDGET_SPENT, "The budget ended before the plan did; no winner.")
        : new Conclusion(Outcome.NO_WINNER, "No profile is confirmed better than the baseline.");
  }
}
