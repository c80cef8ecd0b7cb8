package io.nightsweep.sweep;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The numbers that a sweep uses for its decisions. Gains are fractions: 0.05 is 5 %.
 *
 * @param familyWiseError the chance that any winner is false
 * @param targetGain the search stops at a confirmed gain of this size (procedure: +5 %)
 * @param worthwhileGain the smallest gain that is searched for
 * @param hopelessGain if no profile exceeds this after {@code hopelessProfiles}, conclude "bounded"
 *     (procedure: 2 % after 25 profiles)
 * @param equivalenceMargin "neutral" means within plus or minus this
 * @param regressionLimit a larger loss on another config tag makes the recipe conditional
 * @param blockSize candidates between two controls of a block
 * @param baselineRuns control runs of the baseline wave on the first config tag, where candidates
 *     are screened
 * @param confirmRuns the most fresh runs of the leader in one confirmation, and of its controls; at
 *     least three are made, since fewer do not show a spread
 * @param maxRunsPerProfile replicates that racing may spend on one profile
 * @param jobsInFlight jobs kept submitted, so that the nodes never wait for the daemon
 * @param jobTimeLimit the limit with which each job is submitted
 * @param finishRunningOnHalt whether running jobs may end after a halt instead of being cancelled
 * @param expectedNoise of one run, for planning until repeats have shown the cell's noise
 * @param whenBlind what happens if the baseline's noise hides a gain of the target's size
 * @param expectedJob how long a job takes, until the sweep has timed one; if absent, a usual time
 * @param plausibleGain a run with a larger gain over the baseline is considered broken and its
 *     profile is set aside; if absent, as in sweeps that began before this limit existed, no run is
 * @param answerWithin how long candidates wait for people to propose profiles against a cost that
 *     no candidate acts on
 */
public record Policy(
    double familyWiseError,
    double targetGain,
    double worthwhileGain,
    double hopelessGain,
    int hopelessProfiles,
    double equivalenceMargin,
    double regressionLimit,
    int blockSize,
    int baselineRuns,
    int confirmRuns,
    int maxRunsPerProfile,
    int jobsInFlight,
    Duration jobTimeLimit,
    boolean finishRunningOnHalt,
    double expectedNoise,
    WhenBlind whenBlind,
    Optional<Duration> expectedJob,
    OptionalDouble plausibleGain,
    Duration answerWithin,
    Optional<Boolean> nodeGate,
    double nodeOutlier) {

  /** The lower end of the job times in the procedure. */
  private static final Duration USUAL_JOB = Duration.ofMinutes(12);

  /** Long enough for a person to read a message; only a small part of a night passes idle. */
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(15);

  /**
   * Sound nodes of one kind differ by at most a tenth; half of the clock, of a link's lanes or of
   * the memory's channels costs a half.
   */
  private static final double NODE_OUTLIER = 0.3;

  /** What a sweep does if it cannot detect a gain of its target's size. */
  public enum WhenBlind {
    /** Reports it and goes on: there may be a larger gain. */
    GO_ON,
    /** Reports it and waits for a person. */
    HALT
  }

  /** The values that the tuning procedure prescribes. */
  public static Policy defaults() {
    return new Policy(
        0.05,
        0.05,
        0.01,
        0.02,
        25,
        0.005,
        0.01,
        8,
        3,
        10,
        8,
        2,
        Duration.ofMinutes(45),
        true,
        0.008,
        WhenBlind.GO_ON,
        Optional.empty(),
        OptionalDouble.of(1),
        ANSWER_WITHIN,
        Optional.empty(),
        NODE_OUTLIER);
  }

  /** The estimated time of a job before any was timed; the job's limit is not an estimate. */
  public Duration jobBeforeAnyWasTimed() {
    Duration half = jobTimeLimit.dividedBy(2);
    return expectedJob.orElse(half.compareTo(USUAL_JOB) < 0 ? half : USUAL_JOB);
  }

  public Policy expecting(Duration job) {
    return new Policy(
        familyWiseError,
        targetGain,
        worthwhileGain,
        hopelessGain,
        hopelessProfiles,
        equivalenceMargin,
        regressionLimit,
        blockSize,
        baselineRuns,
        confirmRuns,
        maxRunsPerProfile,
        jobsInFlight,
        jobTimeLimit,
        finishRunningOnHalt,
        expectedNoise,
        whenBlind,
        Optional.of(job),
        plausibleGain,
        answerWithin,
        nodeGate,
        nodeOutlier);
  }
}
