package io.nightsweep.report;

import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.util.stream.Stream;

/**
 * What the runs of a profile measured that count: none that was void, and no probe. All are of one
 * length, short ones where short ones are made on the config tag, so that any two means compare.
 */
public final class CountedRuns {
  private CountedRuns() {}

  public static Stream<Measurement> of(SweepState s, String profile, String tag) {
    return s.countingTrials()
        .filter(tr -> tr.trial().profile().equals(profile) && tr.trial().purpose().measures())
        .filter(tr -> tr.trial().configTag().equals(tag))
        .filter(tr -> !areShort(s, tag) || s.spec().shortSteps(tr.trial()).isPresent())
        .flatMap(tr -> tr.measurement().stream());
  }

  private static boolean areShort(SweepState s, String tag) {
    return s.spec().screeningSteps().isPresent() && tag.equals(s.spec().primaryTag().name());
  }

  /** Mean of the metric, in its unit; NaN where there are no runs. */
  public static double mean(SweepState s, String profile, String tag) {
    return of(s, profile, tag).mapToDouble(Measurement::value).average().orElse(Double.NaN);
  }
}
