package io.nightsweep.conductor;

import io.nightsweep.sweep.Statement;
import java.time.Duration;
import java.util.List;

/**
 * What people should look at before they deploy a winner: it may be faster because it does less. A
 * caution does not stop the deployment.
 */
public sealed interface Caution {
  /**
   * The winner's fresh runs print lines that no baseline run prints, or lack lines that baseline
   * runs print.
   *
   * @param places the lines, as file:line
   */
  record UnlikeLog(Statement said, List<String> places) implements Caution {
    public UnlikeLog {
      places = List.copyOf(places);
    }
  }

  /**
   * The winner's jobs end far sooner than its gain explains.
   *
   * @param job the median time of its fresh runs
   * @param baseline the median time of the baseline runs beside them
   * @param explained the baseline's time reduced by the gain, if the whole job is measured
   */
  record ShortJobs(Duration job, Duration baseline, Duration explained) implements Caution {}

  /**
   * The winner's jobs fail after their last step, and the baseline's jobs do not.
   *
   * @param failed how many of its fresh runs
   * @param runs how many fresh runs it has
   * @param exitCode of the last failed run
   */
  record FailedJobs(int failed, int runs, int exitCode) implements Caution {}
}
