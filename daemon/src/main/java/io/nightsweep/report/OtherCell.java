package io.nightsweep.report;

import io.nightsweep.measure.Interval;
import java.util.List;
import java.util.Map;

/**
 * Results of an earlier sweep of the same model, from {@code tuning.json}.
 *
 * @param configTag on which the profiles were screened
 * @param rows by the profile's hash, which depends only on its settings
 * @param cells its recipes, on {@code configTag} first
 */
record OtherCell(
    String parallelism, String configTag, Map<String, OtherGain> rows, List<CellSummary> cells) {

  enum Flip {
    YES,
    NO,
    /** At least one of the two gains may be zero. */
    UNCLEAR
  }

  record OtherGain(double logGain, Interval interval) {
    Flip against(Interval here, double logGainHere) {
      boolean opposite = logGain * logGainHere < 0;
      boolean clear = isClear(interval) && isClear(here);
      return opposite ? (clear ? Flip.YES : Flip.UNCLEAR) : Flip.NO;
    }

    private static boolean isClear(Interval interval) {
      return interval.low() > 0 || interval.high() < 0;
    }
  }

  OtherCell {
    rows = Map.copyOf(rows);
    cells = List.copyOf(cells);
  }

  boolean is(String otherParallelism, String otherTag) {
    return parallelism.equals(otherParallelism) && configTag.equals(otherTag);
  }
}
