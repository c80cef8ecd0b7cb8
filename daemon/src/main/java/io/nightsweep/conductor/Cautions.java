package io.nightsweep.conductor;

import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobTimes;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Looks for doubts about a profile's jobs that its figures do not show. */
public final class Cautions {
  /** A job that takes less than this share of the time that its gain explains did less work. */
  private static final double SHORT = 0.5;

  /** Slurm reports the start and end of a job in whole seconds. */
  private static final Duration CLOCK = Duration.ofSeconds(2);

  private Cautions() {}

  public static List<Caution> of(SweepState s, Standing standing) {
    return Stream.of(
            unlikeLog(s, standing.profile()),
            shortJobs(s, standing),
            failedJobs(s, standing.profile()))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Caution> unlikeLog(SweepState s, String profile) {
    return s.findings().stream()
        .filter(f -> f.is(Finding.UNLIKE_LOG))
        .filter(f -> s.trialOf(f.attempt()).profile().equals(profile))
        .reduce((first, second) -> second)
        .map(f -> new Caution.UnlikeLog(f.statement(), f.sources()));
  }

  private static Optional<Caution> shortJobs(SweepState s, Standing standing) {
    Optional<Duration> job = median(s, Purpose.CONFIRM, standing.profile());
    Optional<Duration> baseline = median(s, Purpose.CONFIRM_CONTROL, Profile.BASELINE);
    double gain = Math.exp(Math.max(0, Standings.publishedLogGain(standing)));
    return job.flatMap(
        own ->
            baseline
                .map(other -> new Caution.ShortJobs(own, other, scaled(other, 1 / gain)))
                .filter(x -> own.plus(CLOCK).compareTo(scaled(x.explained(), SHORT)) < 0));
  }

  private static Optional<Caution> failedJobs(SweepState s, String profile) {
    List<JobEnd> ends = ends(s, Purpose.CONFIRM, profile);
    List<JobEnd> failed = failed(ends);
    return failed.isEmpty() || !failed(ends(s, Purpose.CONFIRM_CONTROL, Profile.BASELINE)).isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Caution.FailedJobs(failed.size(), ends.size(), failed.getLast().exitCode()));
  }

  private static List<JobEnd> failed(List<JobEnd> ends) {
    return ends.stream().filter(end -> end.exitCode() != 0).toList();
  }

  private static List<JobEnd> ends(SweepState s, Purpose purpose, String profile) {
    return fresh(s, purpose, profile).flatMap(run -> run.end().stream()).toList();
  }

  /** The median time of a profile's fresh runs. */
  private static Optional<Duration> median(SweepState s, Purpose purpose, String profile) {
    return JobTimes.of(fresh(s, purpose, profile)).median();
  }

  /** The attempts that measured a profile's fresh runs. */
  private static Stream<AttemptState> fresh(SweepState s, Purpose purpose, String profile) {
    return s.countingTrials()
        .filter(t -> t.trial().purpose() == purpose && t.trial().profile().equals(profile))
        .filter(t -> t.measurement().isPresent())
        .map(t -> t.attempts().getLast());
  }

  private static Duration scaled(Duration time, double factor) {
    return Duration.ofMillis(Math.round(factor * time.toMillis()));
  }
}
