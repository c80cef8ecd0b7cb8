package io.nightsweep.report;

import io.nightsweep.sweep.JobTimes;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.Optional;

/** Estimates of what is ahead of a sweep, for people only; no decision uses them. */
final class Forecast {
  /** The assumed number of profiles in a wave that the sweep will choose itself. */
  private static final int CHOSEN_PROFILES = 2;

  private Forecast() {}

  /** Trials of the waves that have not been opened. */
  static int trialsNotPlannedYet(SweepState s) {
    int trials =
        s.waves().stream().filter(WaveState::isPending).mapToInt(w -> expected(s, w.wave())).sum();
    return s.jobsLeft().map(left -> Math.min(left, trials)).orElse(trials);
  }

  /** The trials of a wave, as far as they are known before it opens. */
  static int expected(SweepState s, Wave wave) {
    Policy policy = s.spec().policy();
    int tags = s.spec().configTags().size();
    return switch (wave.kind()) {
      case PROBE -> Math.max(1, wave.profiles().size());
      case BASELINE -> policy.baselineRuns() * tags;
      case EVIDENCE -> Math.max(1, wave.profiles().size());
      case SCREEN -> {
        int runs = wave.profiles().size() * wave.repetitions();
        yield runs + Math.ceilDiv(runs, policy.blockSize());
      }
      case STACK, RACE -> CHOSEN_PROFILES * wave.repetitions();
      case CONFIRM -> 2 * policy.confirmRuns();
      case CROSS_CHECK -> 2 * (tags - 1) * wave.repetitions();
      case WINNER_EVIDENCE, NODE_GATE -> 1;
    };
  }

  /** When the trials ahead will have run one after the other, at most the deadline. */
  static Optional<Instant> end(SweepState s, int trialsAhead, Instant now) {
    if (s.isFinished()) {
      return Optional.empty();
    }
    return JobTimes.of(s.attempts().filter(a -> a.measurement().isPresent()))
        .median()
        .map(each -> each.multipliedBy(trialsAhead))
        .map(ahead -> s.runningTimeLeft(now).filter(t -> t.compareTo(ahead) < 0).orElse(ahead))
        .map(now::plus)
        .map(end -> s.deadline().filter(deadline -> deadline.isBefore(end)).orElse(end));
  }
}
