package io.nightsweep.workload.maxtext;

import io.nightsweep.workload.maxtext.Line.Head;
import java.util.Comparator;

/**
 * Who printed a line.
 *
 * @param file 0 for the main log; Ray's own logs, which are whole, come before it
 * @param rank -1 where the line tells none
 * @param actor of Ray; empty where there is none
 */
record Source(int file, int rank, String actor) implements Comparable<Source> {
  private static final Comparator<Source> ORDER =
      Comparator.comparingInt(Source::file)
          .thenComparingInt(Source::rank)
          .thenComparing(Source::actor);

  static Source of(int file, Head head) {
    return new Source(file, head.rank(), head.actor());
  }

  @Override
  public int compareTo(Source other) {
    return ORDER.compare(this, other);
  }
}
