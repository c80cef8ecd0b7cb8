package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.Comparator;

/** A stored line and the rank that printed it. */
record Told(Quote quote, long place, long ordinal, Rank rank) {
  /** The order in which lines were read; within one rank this is the order in time. */
  static final Comparator<Told> IN_ORDER = Comparator.comparingLong(Told::ordinal);

  /**
   * @param around an offset in the line's body; the quote of a long line must contain it
   */
  static Told of(Line line, int around) {
    return new Told(line.quote(around), line.place(), line.ordinal(), line.rank());
  }
}
