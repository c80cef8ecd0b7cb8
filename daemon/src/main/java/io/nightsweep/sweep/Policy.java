package io.nightsweep.sweep;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The numbers that a sweep decides by. Gains are fractions: 0.05 is 5 %.
 *
 * @param familyWiseError the chance that any winner is false
 * @param targetGain a confirmed gain at which the search stops (procedure: +5 %)
 * @param worthwhileGain the smallest gain that is hunted
 * @param hopelessGain no profile above this after {@code hopelessProfiles}: conclude "bounded"
 *     (procedure: 2 % after 25 profiles)
 * @param equivalenceMargin "neutral" means within plus or minus this
 * @param regressionLimit a loss on another config tag beyond this makes the recipe conditional
 * @param blockSize candidates between two controls of a block
 * @param baselineRuns control runs of the baseline wave on the first config tag, where candidates
 *     are screened
 * @param confirmRuns the most fresh runs of the leader in one confirmation, and as many controls;
 *     at least three are made, since a spread is told from no fewer
 * @param maxRunsPerProfile replicates that racing may spend on one profile
 * @param jobsInFlight jobs kept submitted, so that the nodes never wait for the daemon
 * @param jobTimeLimit the limit that each job is submitted with
 * @param finishRunningOnHalt whether a halt lets running jobs end rather than cancelling them
 * @param expectedNoise of one run, planned with until repeats have shown the cell's own
 * @param whenBlind what follows when the baseline's noise hides a gain of the target's size
 * @param expectedJob how long a job takes, until the sweep has timed one of its own; where absent,
 *     what is usual
 * @param plausibleGain a run that gains more over the baseline is taken for broken and its profile
 *     is set aside; where absent, as in sweeps that began before there was a limit, none is
 * @param answerWithin how long candidates wait for people to say what acts on a cost that none of
 *     them does
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

  /** The lower end of what the procedure's own jobs took. */
  private static final Duration USUAL_JOB = Duration.ofMinutes(12);

  /** Long enough for a message to be read, and a small part of a night in which nothing runs. */
  private static final Duration ANSWER_WITHIN = Duration.ofMinutes(15);

  /**
   * Sound nodes of one kind lie within a tenth of each other; half of the clock, of a link's lanes
   * or of the memory's channels costs a half.
   */
  private static final double NODE_OUTLIER = 0.3;

  /** What a sweep does that cannot find a gain of the size of its target. */
  public enum WhenBlind {
    /** Says so and goes on: a larger gain may be there. */
    GO_ON,
    /** Says so and waits for a person. */
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

  /** The estimate of a job's time before any was timed: its limit is no estimate. */
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
