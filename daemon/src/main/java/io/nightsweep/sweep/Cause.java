package io.nightsweep.sweep;

import java.util.List;

/**
 * Why a wave, a profile or a trial is left out of a sweep. Percentages are of the metric, relative
 * to the baseline. The sentence is composed when it is read, in the reader's language.
 */
public sealed interface Cause {
  /** The remaining jobs or time are reserved for other waves. */
  record BudgetSpent(Wave.Kind wave) implements Cause {}

  /** The wave has nothing to do. */
  record NotNeeded(Need need) implements Cause {}

  /** What a wave needs and does not find. */
  enum Need {
    /** The policy's target gain is reached before the wave. */
    TARGET_NOT_MET,
    CONTENDER,
    WINNER,
    REPLICATE_THAT_DECIDES,
    PROFILE_WORTH_CONFIRMING,
    PROFILE,
    TWO_SINGLES_AHEAD,
    STACK
  }

  /**
   * This many profiles were tested, and none gains more than a little.
   *
   * @param hopelessPercent the gain that the policy considers little
   */
  record Bounded(int profiles, double hopelessPercent) implements Cause {}

  record SkippedByCommand() implements Cause {}

  record SweepStopped() implements Cause {}

  /** The nodelist was replaced; plans for the old nodes no longer count. */
  record NodesChanged() implements Cause {}

  /** The profile sets only flags that the build does not know. */
  record UnknownFlags(List<String> flags) implements Cause {
    public UnknownFlags {
      flags = List.copyOf(flags);
    }
  }

  /**
   * @param mechanisms that the profile acts on and the compiled step does not contain
   * @param sources the files that show it, each prefixed with its job id
   */
  record NoMechanism(List<String> mechanisms, List<String> sources) implements Cause {
    public NoMechanism {
      mechanisms = List.copyOf(mechanisms);
      sources = List.copyOf(sources);
    }
  }

  /**
   * The profile sets only what is already set.
   *
   * @param where the files that set it or that show it, each prefixed with its job id
   */
  record AlreadySet(List<String> where) implements Cause {
    public AlreadySet {
      where = List.copyOf(where);
    }
  }

  /**
   * The profile's first job compiled the program that another profile already runs.
   *
   * @param as the other profile; the baseline if the profile changes nothing
   * @param sources the texts of both programs, each prefixed with its job id
   */
  record SameProgram(String as, List<String> sources) implements Cause {
    public SameProgram {
      sources = List.copyOf(sources);
    }
  }

  /** A job of the profile failed in a way that a retry cannot cure. */
  record FailedAs(String failureClass, Statement detail) implements Cause {}

  /** The workload or the build cannot run the profile. */
  record Unsupported(Statement detail) implements Cause {}

  /**
   * Its runs so far leave too little chance of a worthwhile gain.
   *
   * @param worthwhilePercent the smallest worthwhile gain
   * @param chancePercent of that gain or more
   */
  record RacedOut(double percent, int runs, double worthwhilePercent, double chancePercent)
      implements Cause {}

  /**
   * Its running job is further below the baseline than noise explains.
   *
   * @param noisePercent standard deviation from run to run
   */
  record Behind(double percent, int steps, double noisePercent) implements Cause {}

  /** It computes something other than the baseline does. */
  sealed interface OtherResult extends Cause {}

  record LossNotFinite() implements OtherResult {}

  /**
   * @param baseline the mean of the baseline's last losses
   * @param within largest distance from the mean that is expected of one more baseline run
   */
  record LossDiffers(double loss, double baseline, double within) implements OtherResult {}

  /**
   * The share of the budget for a language model's profiles is spent.
   *
   * @param jobs size of the share
   */
  record ShareSpent(double jobs) implements Cause {}

  /** The sentence from a journal that was written before causes had types. */
  record Told(String sentence) implements Cause {}
}
