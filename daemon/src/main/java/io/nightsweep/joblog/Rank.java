package io.nightsweep.joblog;

import java.util.Comparator;
import java.util.List;

/**
 * Which process of a job printed a line, and of one that writes two files into which.
 *
 * @param number the task's under {@code srun -l} or of the file that only it writes, -1 where none
 *     is told
 * @param actor of Ray, as {@code pid@ip}, or the name of the file that only it writes; empty where
 *     there is none
 */
public record Rank(int number, String actor) implements Comparable<Rank> {
  /** Nobody said: the launcher, the batch script, or a job whose lines are not labelled. */
  public static final Rank NONE = new Rank(-1, "");

  /** What the names of Ray's two files of a worker end with. */
  public static final String OUTPUT = ".out";

  public static final String ERRORS = ".err";

  private static final Comparator<Rank> ORDER =
      Comparator.comparingInt(Rank::number).thenComparing(Rank::actor);

  /**
   * The same for both files of a process that writes its output into one and its errors into
   * another. In which order the lines of the two came nobody knows; what the process lived through
   * it did in both.
   */
  public Rank process() {
    return isOneOfTwo()
        ? new Rank(number, actor.substring(0, actor.length() - OUTPUT.length()))
        : this;
  }

  /** As which its process is known: as itself, or by either of its files. */
  public List<Rank> files() {
    String name = process().actor;
    return isOneOfTwo()
        ? List.of(new Rank(number, name + OUTPUT), new Rank(number, name + ERRORS))
        : List.of(this);
  }

  private boolean isOneOfTwo() {
    return actor.endsWith(OUTPUT) || actor.endsWith(ERRORS);
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
