package io.nightsweep.judging;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.triage.BaselinePace;
import io.nightsweep.triage.Watch;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Interprets a running job's steps and silence. */
public final class RunningJob {
  /** Steps in the window before the measurement so far is journaled: fewer decide nothing. */
  private static final int JUDGED_FROM = 4;

  /** A limit on steps, since each event contains all steps so far and would fill disks. */
  private static final int MOST_SHOWN = 2000;

  private RunningJob() {}

  /** Whether the job's steps should be read in this observation. */
  public static boolean isDue(AttemptState a, Duration interval, Instant now) {
    return Duration.between(a.lastProgressAt(), now).compareTo(interval) >= 0;
  }

  /**
   * Events for a new step, and for a candidate's measurement so far if its job attests what it
   * runs.
   */
  public static List<Event> progress(
      AttemptState a, Trial trial, Workload.WorkloadReading reading) {
    if (reading.step() <= a.step()) {
      return List.of();
    }
    List<Event> events = new ArrayList<>();
    events.add(new Event.AttemptProgressed(a.id(), reading.step(), reading.stepsTotal()));
    if (trial.purpose() == Trial.Purpose.SCREEN
        && reading.effective() instanceof Workload.Effective.AsScheduled) {
      reading
          .sofar()
          .filter(m -> m.steps().size() <= MOST_SHOWN)
          .filter(m -> m.steps().getLast().index() - m.windowFrom() >= JUDGED_FROM - 1)
          .ifPresent(m -> events.add(new Event.AttemptShown(a.id(), m)));
    }
    return events;
  }

  /** Whether the job may still be ended because of its log: nothing has ended it yet. */
  public static boolean isWatched(AttemptState a) {
    return a.givenUp().isEmpty() && a.cancelCause().isEmpty();
  }

  /**
   * The data needed to judge whether a running job has been silent for too long.
   *
   * @param startedAt as the cluster reports it now
   * @param read whether the job's steps were read in this observation
   */
  public static Watch watch(
      SweepState s, AttemptState a, Instant startedAt, boolean read, Instant now) {
    Trial trial = s.trialOf(a.id());
    Optional<Instant> seen = a.step() < 0 ? Optional.empty() : Optional.of(a.lastProgressAt());
    return new Watch(
        now,
        // A cluster's clock may be slow and show a start before the request.
        later(a.startedAt().orElse(startedAt), a.intendedAt()),
        // Between two readings, there may be newer steps that are unknown.
        read ? seen : Optional.of(now),
        a.step(),
        a.stepsTotal(),
        isFirstCompile(s, trial),
        s.profile(trial.profile()).isBaseline(),
        BaselinePace.seconds(s, trial.configTag()));
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /**
   * Whether the compile time of the cell is still unknown: no job of the config tag has reached a
   * step on these nodes. Probes compile another program and do not count.
   */
  private static boolean isFirstCompile(SweepState s, Trial trial) {
    return s.countingTrials()
        .filter(o -> o.trial().configTag().equals(trial.configTag()))
        .filter(o -> o.trial().purpose() != Trial.Purpose.PROBE)
        .flatMap(o -> o.attempts().stream())
        .noneMatch(a -> a.step() >= 0 || a.measurement().isPresent());
  }
}
