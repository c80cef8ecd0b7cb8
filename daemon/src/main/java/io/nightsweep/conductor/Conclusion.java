package io.nightsweep.conductor;

import io.nightsweep.sweep.Event.SweepFinished.Outcome;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.util.Locale;
import java.util.Optional;

/** What a sweep that is walked to its end has found. */
public record Conclusion(Outcome outcome, String text) {

  static Conclusion of(SweepState s) {
    Optional<Race.Standing> winner = winner(s);
    if (winner.isPresent()) {
      return new Conclusion(
          Outcome.WINNER,
          String.format(
              Locale.ROOT,
              "%s wins by %+.2f %% over %d fresh runs.",
              winner.get().profile(),
              100 * winner.get().gainFraction(),
              winner.get().runs()));
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

  /** The profile whose fresh runs alone show a gain. */
  public static Optional<Race.Standing> winner(SweepState s) {
    return Race.confirmed(s).stream().filter(st -> st.runs() >= 2 && st.low() > 0).findFirst();
  }
}
