package io.nightsweep.joblog;

/** Receives some of the lines of a job's log; several listeners share one pass over it. */
public interface LogListener {
  /**
   * The patterns of the wanted lines; requested before each part of the log is searched. Patterns
   * with no further useful lines may be left out, which makes a flood of them as fast as other
   * lines.
   */
  PatternSet patterns();

  /**
   * Whether a line of this part made patterns relevant that were left out of the search; the rest
   * of the part is then searched again.
   */
  default boolean wantsMore() {
    return false;
  }

  /**
   * Whether a line with these candidates could add new information. In a flood most cannot, and no
   * {@link Line} is created for them.
   */
  default boolean wants(int[] candidates) {
    return true;
  }

  /**
   * Receives a line that may match some of the patterns.
   *
   * @param candidates numbers of patterns, ascending; each must be checked against the line again
   */
  void line(Line line, int[] candidates);

  /**
   * Receives a step that the workload has read in the line. The call comes in line order, before
   * listeners that joined after the workload receive the line itself.
   */
  default void step(Line line, Step step) {}
}
