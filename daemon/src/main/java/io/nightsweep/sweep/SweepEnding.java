package io.nightsweep.sweep;

import java.util.List;
import java.util.Optional;

/**
 * The result of a sweep. The sentence is composed when it is read, in the reader's language;
 * percentages are of the metric, relative to the baseline.
 */
public sealed interface SweepEnding {
  /**
   * @param runs fresh runs behind the gain
   * @param moving settings of the profile that change what is trained: if there are any, nothing is
   *     deployed before a run on real data has passed
   */
  record Won(String profile, double percent, int runs, List<String> moving) implements SweepEnding {
    public Won {
      moving = List.copyOf(moving);
    }
  }

  /**
   * @param ends of the jobs, the most frequent first
   */
  record NothingMeasured(List<EndCount> ends) implements SweepEnding {
    public NothingMeasured {
      ends = List.copyOf(ends);
    }
  }

  /**
   * @param end a failure class, or another outcome of the jobs
   */
  record EndCount(String end, long jobs) {}

  /**
   * Enough profiles were tested, and none gains more than a little.
   *
   * @param hopelessPercent the gain that the policy considers little
   */
  record Bounded(int profiles, double hopelessPercent, Optional<BestTested> best)
      implements SweepEnding {}

  record BestTested(String profile, double percent) {}

  record BudgetSpent() implements SweepEnding {}

  /** The plan ran to its end. */
  record NoneBetter() implements SweepEnding {}

  record StoppedByCommand(Command.Stop.Mode mode) implements SweepEnding {}

  /** The sentence from a journal that was written before endings had types. */
  record Told(String sentence) implements SweepEnding {}
}
