package io.nightsweep.sweep;

import java.util.List;

/**
 * Why something is left out of a sweep: a wave, a profile, a trial. Percentages are of the metric,
 * relative to the baseline. The sentence is made where it is read, in the reader's language.
 */
public sealed interface Cause {
  /** The jobs or the time that are left are kept for other waves. */
  record BudgetSpent(Wave.Kind wave) implements Cause {}

  /** The wave has nothing to do. */
  record NotNeeded(Need need) implements Cause {}

  /** What a wave waits for, and does not find. */
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
   * So many profiles were tested, and none of them gains more than a little.
   *
   * @param hopelessPercent the policy's little gain
   */
  record Bounded(int profiles, double hopelessPercent) implements Cause {}

  record SkippedByCommand() implements Cause {}

  record SweepStopped() implements Cause {}

  /** Another nodelist was given: what was planned on the old one counts no more. */
  record NodesChanged() implements Cause {}

  /** The profile sets nothing but flags that the build does not know. */
  record UnknownFlags(List<String> flags) implements Cause {
    public UnknownFlags {
      flags = List.copyOf(flags);
    }
  }

  /**
   * @param mechanisms none of which is in the compiled step
   * @param sources the files that show it, each with its job id before it
   */
  record NoMechanism(List<String> mechanisms, List<String> sources) implements Cause {
    public NoMechanism {
      mechanisms = List.copyOf(mechanisms);
      sources = List.copyOf(sources);
    }
  }

  /**
   * The profile sets what holds already.
   *
   * @param where the files that set it or that show it, each with its job id before it
   */
  record AlreadySet(List<String> where) implements Cause {
    public AlreadySet {
      where = List.copyOf(where);
    }
  }

  /**
   * The profile's first job compiled the program that another profile already runs.
   *
   * @param as the other profile, the baseline where the profile changes nothing
   * @param sources the texts of both, each with its job id before it
   */
  record SameProgram(String as, List<String> sources) implements Cause {
    public SameProgram {
      sources = List.copyOf(sources);
    }
  }

  /** A job of the profile failed in a way that no retry cures. */
  record FailedAs(String failureClass, Statement detail) implements Cause {}

  /** The workload or the build cannot run the profile. */
  record Unsupported(Statement detail) implements Cause {}

  /**
   * Its runs so far leave too little chance of a gain that is worth having.
   *
   * @param worthwhilePercent the least gain that is
   * @param chancePercent of that gain or more
   */
  record RacedOut(double percent, int runs, double worthwhilePercent, double chancePercent)
      implements Cause {}

  /**
   * Its running job lies below the baseline by more than noise explains.
   *
   * @param noisePercent from run to run, one standard deviation
   */
  record Behind(double percent, int steps, double noisePercent) implements Cause {}

  /** It computes something else than the baseline does. */
  sealed interface OtherResult extends Cause {}

  record LossNotFinite() implements OtherResult {}

  /**
   * @param baseline the mean of the baseline's last losses
   * @param within this of the mean one more run of the baseline would lie
   */
  record LossDiffers(double loss, double baseline, double within) implements OtherResult {}

  /**
   * The share of the budget for a language model's profiles is spent.
   *
   * @param jobs that the share is
   */
  record ShareSpent(double jobs) implements Cause {}

  /** A sentence of a journal that was written before causes had types. */
  record Told(String sentence) implements Cause {}
}
