package io.nightsweep.joblog;

import java.util.Comparator;

/**
 * Which process of a job printed a line.
 *
 * @param number the task's under {@code srun -l} or of the file that only it writes, -1 where none
 *     is told
 * @param actor of Ray, as {@code pid@ip}; empty where there is none
 */
public record Rank(int number, String actor) implements Comparable<Rank> {
  /** Nobody said: the launcher, the batch script, or a job whose lines are not labelled. */
  public static final Rank NONE = new Rank(-1, "");

  private static final Comparator<Rank> ORDER =
      Comparator.comparingInt(Rank::number).thenComparing(Rank::actor);

  @Override
  public int compareTo(Rank other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return number >= 0 ? "rank " + number : actor.isEmpty() ? "" : "actor " + actor;
  }
}
