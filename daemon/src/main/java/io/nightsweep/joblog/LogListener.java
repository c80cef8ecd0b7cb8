package io.nightsweep.joblog;

/** Wants some of the lines of a job's log; several listen to the same pass over it. */
public interface LogListener {
  /**
   * What the wanted lines match; asked before each part of the log is searched. Patterns whose
   * further lines say nothing may be left out, which makes a flood of them as fast as other lines.
   */
  PatternSet patterns();

  /**
   * Whether a line of this part made patterns count that were left out when it was searched: the
   * rest of it is searched again.
   */
  default boolean wantsMore() {
    return false;
  }

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
