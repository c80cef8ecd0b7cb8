package io.nightsweep.triage;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.Diagnosis.Quote;
import java.util.Comparator;

/** A line that was kept, and who printed it. */
record Told(Quote quote, long place, long ordinal, Rank rank) {
  /** Ordered as they were read; within one rank this is the order in time. */
  static final Comparator<Told> IN_ORDER = Comparator.comparingLong(Told::ordinal);

  /**
   * @param around an offset in the line's body that must be in the quote of a long line
   */
  static Told of(Line line, int around) {
    return new Told(line.quote(around), line.place(), line.ordinal(), line.rank());
  }
}
