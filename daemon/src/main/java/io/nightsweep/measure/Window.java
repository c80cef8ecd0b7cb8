package io.nightsweep.measure;

/**
 * The steps that count as steady state.
 *
 * @param from first step, counted from 0
 * @param to last step, inclusive
 */
public record Window(int from, int to) {

  /** Steps 0 to 4 warm up: compilation, allocation, first collectives (tuning procedure). */
  public static final int FIRST_WARM_STEP = 5;

  public Window {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException(
          "a window needs 0 <= from <= to, found from " + from + " to " + to);
    }
  }

  /**
   * The steady window beside the profiler: the longer of the stretches before and after the
   * disturbed steps, which are the captured ones and the one after them, in which the trace is
   * written. Fifteen steps with the usual capture of steps 5 to 7 give 9..14, a capture of steps 10
   * to 12 gives 5..9, no capture gives 5..14.
   *
   * @param skipFirst steps before the capture begins
   * @param profilerSteps steps captured; 0 when the profiler is off
   * @param totalSteps steps of the run
   * @throws IllegalArgumentException if no warm step remains undisturbed
   */
  public static Window fromProfiler(int skipFirst, int profilerSteps, int totalSteps) {
    int last = totalSteps - 1;
    if (last < FIRST_WARM_STEP) {
      throw new IllegalArgumentException(
          "a run of %d steps ends while it warms up; give it more than %d steps"
              .formatted(totalSteps, FIRST_WARM_STEP));
    }
    int dumped = skipFirst + profilerSteps;
    if (profilerSteps <= 0 || skipFirst > last || dumped < FIRST_WARM_STEP) {
      return new Window(FIRST_WARM_STEP, last);
    }
    int before = skipFirst - FIRST_WARM_STEP;
    int after = last - dumped;
    if (before <= 0 && after <= 0) {
      throw new IllegalArgumentException(
          "the profiler (skips %d steps, captures %d) leaves none of %d steps clean; give the run more steps"
              .formatted(skipFirst, profilerSteps, totalSteps));
    }
    return after >= before
        ? new Window(dumped + 1, last)
        : new Window(FIRST_WARM_STEP, skipFirst - 1);
  }

  public boolean contains(int step) {
    return from <= step && step <= to;
  }
}
