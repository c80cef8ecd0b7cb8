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

/** What the steps of a running job show, and by what its silence is measured. */
public final class RunningJob {
  /** Fewer steps of a window are not journaled: nothing is decided by them. */
  private static final int JUDGED_FROM = 4;

  /**
   * All that a job has shown stands in each event, so that a run of more steps would fill disks.
   */
  private static final int MOST_SHOWN = 2000;

  private RunningJob() {}

  /** Whether the job's steps are read at this look. */
  public static boolean isDue(AttemptState a, Duration interval, Instant now) {
    return Duration.between(a.lastProgressAt(), now).compareTo(interval) >= 0;
  }

  /** A step that is new, and what a candidate shows by then if its job attests what it runs. */
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

  /** Whether the log may be held against the job: nothing has ended it yet. */
  public static boolean isWatched(AttemptState a) {
    return a.givenUp().isEmpty() && a.cancelCause().isEmpty();
  }

  /**
   * What is needed to judge whether a running job is silent for too long.
   *
   * @param startedAt as the cluster says it now
   * @param read whether the job's steps were read at this look
   */
  public static Watch watch(
      SweepState s, AttemptState a, Instant startedAt, boolean read, Instant now) {
    Trial trial = s.trial(a.id().trial()).trial();
    Optional<Instant> seen = a.step() < 0 ? Optional.empty() : Optional.of(a.lastProgressAt());
    return new Watch(
        now,
        // By a cluster's clock that is behind, it began before it was asked for.
        later(a.startedAt().orElse(startedAt), a.intendedAt()),
        // Between two readings nobody knows whether there is a newer step.
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
   * Whether nobody knows yet how long the cell takes to compile: no job of the config tag has come
   * to a step on these nodes. A probe compiles a program of its own, and counts for nothing.
   */
  private static boolean isFirstCompile(SweepState s, Trial trial) {
    return s.countingTrials()
        .filter(o -> o.trial().configTag().equals(trial.configTag()))
        .filter(o -> o.trial().purpose() != Trial.Purpose.PROBE)
        .flatMap(o -> o.attempts().stream())
        .noneMatch(a -> a.step() >= 0 || a.measurement().isPresent());
  }
}
