package io.nightsweep.sweep;

import java.util.List;
import java.util.Optional;

/**
 * What a sweep came to. The sentence is made where it is read, in the reader's language;
 * percentages are of the metric, relative to the baseline.
 */
public sealed interface SweepEnding {
  /**
   * @param runs fresh ones, which the gain rests on
   * @param moving settings of the profile that say what is trained: with any, nothing is deployed
   *     before a run on real data has passed
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
   * @param end a failure class, or what else the jobs came to
   */
  record EndCount(String end, long jobs) {}

  /**
   * Enough profiles were tested, and none of them gains more than a little.
   *
   * @param hopelessPercent the policy's little gain
   */
  record Bounded(int profiles, double hopelessPercent, Optional<BestTested> best)
      implements SweepEnding {}

  record BestTested(String profile, double percent) {}

  record BudgetSpent() implements SweepEnding {}

  /** The plan was walked to its end. */
  record NoneBetter() implements SweepEnding {}

  record StoppedByCommand(Command.Stop.Mode mode) implements SweepEnding {}

  /** The sentence of a journal that was written before endings had types. */
  record Told(String sentence) implements SweepEnding {}
}
