package io.nightsweep.report;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.CarryOver;
import io.nightsweep.measure.Interval;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What the reader of a leaderboard has to know of the runs behind it. */
public final class Remarks {
  private Remarks() {}

  /**
   * A sentence each, none where there is nothing to say.
   *
   * @param name how the name of a profile is written
   */
  public static List<String> of(SweepState s, Phrases t, UnaryOperator<String> name) {
    List<String> remarks = new ArrayList<>();
    List<Trial> slow = Standings.stragglers(s).stream().map(TrialState::trial).toList();
    if (!slow.isEmpty()) {
      remarks.add(
          t.text(
              "stragglers",
              slow.size(),
              slow.stream()
                  .map(trial -> trial.id() + " " + name.apply(trial.profile()))
                  .collect(Collectors.joining(", "))));
    }
    CarryOver carried = Standings.carryOver(s);
    if (carried.isShown()) {
      remarks.add(
          t.text("carry-over", percent(carried.ontoCandidates()), percent(carried.ontoControls())));
    }
    return remarks;
  }

  private static String percent(double logRatio) {
    return String.format(Locale.ROOT, "%+.2f", Interval.percent(logRatio));
  }
}
