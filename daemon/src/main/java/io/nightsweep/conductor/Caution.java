package io.nightsweep.conductor;

import io.nightsweep.sweep.Statement;
import java.time.Duration;
import java.util.List;

/**
 * What people should look at before they deploy a profile that won: it may be faster since it does
 * less. It is no veto.
 */
public sealed interface Caution {
  /**
   * Its fresh runs print what no run of the baseline does, or the other way round.
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
   * @param baseline the same of the baseline's runs beside them
   * @param explained what the gain makes of the baseline's time where all of a job is measured
   */
  record ShortJobs(Duration job, Duration baseline, Duration explained) implements Caution {}

  /**
   * Its jobs fail after their last step, and the baseline's do not.
   *
   * @param failed how many of its fresh runs
   * @param runs how many fresh runs it has
   * @param exitCode the last one's
   */
  record FailedJobs(int failed, int runs, int exitCode) implements Caution {}
}
