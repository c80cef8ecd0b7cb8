package io.nightsweep.joblog;

import java.util.Comparator;
import java.util.List;

/**
 * The process of a job that printed a line; for a process with two files, also which file.
 *
 * @param number the task's number under {@code srun -l}, or that of the only task that writes the
 *     file; -1 if unknown
 * @param actor of Ray, as {@code pid@ip}, or the name of a file with a single writer; empty if
 *     there is neither
 */
public record Rank(int number, String actor) implements Comparable<Rank> {
  /** Unknown: the launcher, the batch script, or a job with unlabelled lines. */
  public static final Rank NONE = new Rank(-1, "");

  /** The suffixes of the two files of a Ray worker. */
  public static final String OUTPUT = ".out";

  public static final String ERRORS = ".err";

  private static final Comparator<Rank> ORDER =
      Comparator.comparingInt(Rank::number).thenComparing(Rank::actor);

  /**
   * The same rank for both files of a process that writes its output into one file and its errors
   * into another. The order of lines across the two files is unknown, but a step in one shows that
   * the process survived the lines in both.
   */
  public Rank process() {
    return isOneOfTwo()
        ? new Rank(number, actor.substring(0, actor.length() - OUTPUT.length()))
        : this;
  }

  /**
   * All ranks under which the lines of this process appear: itself, or one for each of its files.
   */
  public List<Rank> files() {
    String name = process().actor;
    return isOneOfTwo()
        ? List.of(new Rank(number, name + OUTPUT), new Rank(number, name + ERRORS))
        : List.of(this);
  }

  private boolean isOneOfTwo() {
    return actor.endsWith(OUTPUT) || actor.endsWith(ERRORS);
  }

  /** Written out, since this is asked for every line of a flood, and the quick compiler is slow. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Rank rank && number == rank.number && actor.equals(rank.actor);
  }

  @Override
  public int hashCode() {
    return 31 * number + actor.hashCode();
  }

  @Override
  public int compareTo(Rank other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return number >= 0 ? "rank " + number : actor.isEmpty() ? "" : "actor " + actor;
  }
}
