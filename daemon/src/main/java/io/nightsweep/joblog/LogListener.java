package io.nightsweep.joblog;

/** Wants some of the lines of a job's log; several listen to the same pass over it. */
public interface LogListener {
  /**
   * What the wanted lines match. May shrink while the log goes on, to make the pass faster; which
   * lines count must not depend on it, since a block is scanned before its lines are told.
   */
  PatternSet patterns();

  /**
   * Whether a line with these candidates could say anything new. In a flood most cannot, and are
   * not even made lines of.
   */
  default boolean wants(int[] candidates) {
    return true;
  }

  /**
   * A line in which some of the patterns may be found.
   *
   * @param candidates numbers of patterns, ascending; each is to be held against the line again
   */
  void line(Line line, int[] candidates);

  /**
   * A step that the job's workload read in the line. It is told at its place among the lines,
   * before the line itself is told to listeners that came later than the workload.
   */
  default void step(Line line, Step step) {}
}
