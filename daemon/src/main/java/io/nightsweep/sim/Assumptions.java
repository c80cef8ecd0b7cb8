package io.nightsweep.sim;

import io.nightsweep.conductor.Programs;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Noise;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.JobTimes;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The assumptions of a rehearsal.
 *
 * @param noise run-to-run, as a standard deviation of the log metric
 * @param job seconds of one job from start to end
 * @param flakes the share of jobs that fail by themselves and succeed when repeated
 * @param hangs the share of jobs that hang until they are given up
 * @param inert of the candidates whose whole effect the optimised HLO shows, the share that
 *     compiles to the baseline's program
 * @param families kinds of noise
 */
public record Assumptions(
    Assumed noise,
    Assumed job,
    Assumed flakes,
    Assumed hangs,
    Assumed inert,
    List<NoiseFamily> families) {

  /** A figure and its source. */
  public record Assumed(double value, String from) {}

  private static final String EXPECTED_NOISE =
      "the sweep's expectedNoise; give --noise if you know better";

  /** Four of the 39 jobs of a published sweep. */
  private static final double USUAL_FLAKES = 0.1;

  /** The fewest degrees of freedom of a noise estimate that is trusted. */
  private static final int FEWEST_DEGREES = 8;

  private static final int FEWEST_JOBS = 3;
  private static final int FEWEST_PROGRAMS = 4;

  /**
   * Each figure as given, else from the latest similar sweep, else the usual one.
   *
   * @param earlier the latest first; those of another workload, model or parallelism are skipped
   */
  public static Assumptions of(
      SweepSpec spec,
      List<SweepState> earlier,
      Optional<Double> givenNoise,
      Optional<Duration> givenJob) {
    List<SweepState> alike = earlier.stream().filter(s -> isAlike(s, spec)).toList();
    return new Assumptions(
        figure(
            givenNoise,
            alike.stream().flatMap(s -> learned(s, noise(s))),
            new Assumed(spec.policy().expectedNoise(), EXPECTED_NOISE)),
        figure(
            givenJob.map(Assumptions::seconds),
            ofTheModel(spec, earlier).flatMap(s -> learned(s, job(s))),
            new Assumed(
                seconds(spec.policy().jobBeforeAnyWasTimed()),
                (spec.policy().expectedJob().isPresent() ? "the sweep's expectedJob" : "a guess")
                    + "; give --job-minutes if you know better")),
        figure(
            Optional.empty(),
            alike.stream().flatMap(s -> learned(s, failed(s, a -> a.givenUp().isEmpty()))),
            new Assumed(USUAL_FLAKES, "usual")),
        figure(
            Optional.empty(),
            alike.stream().flatMap(s -> learned(s, failed(s, a -> a.givenUp().isPresent()))),
            new Assumed(0, "no sweep has shown any; give --hangs if you know better")),
        figure(
            Optional.empty(),
            alike.stream().flatMap(s -> learned(s, inert(s))),
            new Assumed(0, "no sweep has shown any; give --inert if you know better")),
        List.of(NoiseFamily.USUAL));
  }

  /**
   * Whether the noise is just the policy's expectation, neither given nor measured in an earlier
   * sweep.
   */
  public boolean assumesNoise() {
    return noise.from().equals(EXPECTED_NOISE);
  }

  /** The same with other kinds of noise. */
  public Assumptions under(List<NoiseFamily> others) {
    return new Assumptions(noise, job, flakes, hangs, inert, List.copyOf(others));
  }

  /** The same with this share of all jobs hanging. */
  public Assumptions hanging(double share) {
    return new Assumptions(noise, job, flakes, new Assumed(share, "as given"), inert, families);
  }

  /**
   * The same with this share of inert profiles, among candidates whose whole effect the HLO shows.
   */
  public Assumptions changingNothing(double share) {
    return new Assumptions(noise, job, flakes, hangs, new Assumed(share, "as given"), families);
  }

  Faults faults() {
    return Faults.none()
        .with(Faults.Kind.JOB_FAILS, flakes.value())
        .with(Faults.Kind.JOB_HANGS, hangs.value());
  }

  Weather weather() {
    return NoiseFamily.weather(noise.value(), families);
  }

  /**
   * The sweep with the job time from the model's history, unless the user's policy sets one, so
   * that planning and rehearsal use the same.
   *
   * @param earlier the latest first
   */
  public static SweepSpec expecting(SweepSpec spec, List<SweepState> earlier) {
    return spec.policy().expectedJob().isPresent()
        ? spec
        : ofTheModel(spec, earlier)
            .flatMap(s -> job(s).stream())
            .findFirst()
            .map(seconds -> spec.with(spec.policy().expecting(ofSeconds(seconds))))
            .orElse(spec);
  }

  Duration jobDuration() {
    return ofSeconds(job.value());
  }

  private static Duration ofSeconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  private static Assumed figure(Optional<Double> given, Stream<Assumed> seen, Assumed otherwise) {
    return given.map(value -> new Assumed(value, "as given")).or(seen::findFirst).orElse(otherwise);
  }

  private static Stream<Assumed> learned(SweepState s, Optional<Double> value) {
    return value.map(v -> new Assumed(v, "as sweep " + s.sweep() + " showed")).stream();
  }

  /**
   * Sweeps of the model whose jobs should take about as long as this sweep's, those with the same
   * parallelism first.
   */
  private static Stream<SweepState> ofTheModel(SweepSpec spec, List<SweepState> earlier) {
    return Stream.concat(
        earlier.stream().filter(s -> isAlike(s, spec)),
        earlier.stream().filter(s -> isOfTheModel(s, spec) && !isAlike(s, spec)));
  }

  private static boolean isAlike(SweepState s, SweepSpec spec) {
    return isOfTheModel(s, spec) && s.spec().cell().parallelism().equals(spec.cell().parallelism());
  }

  private static boolean isOfTheModel(SweepState s, SweepSpec spec) {
    return s.startedSpec()
        .filter(other -> other.workload().equals(spec.workload()))
        .filter(other -> other.cell().model().equals(spec.cell().model()))
        .isPresent();
  }

  private static Optional<Double> noise(SweepState s) {
    Noise noise = Standings.board(s).noise();
    return noise.degreesOfFreedom() >= FEWEST_DEGREES
        ? Optional.of(noise.total())
        : Optional.empty();
  }

  /** The time of a whole job, without short ones. */
  private static Optional<Double> job(SweepState s) {
    JobTimes times = JobTimes.measured(s, false);
    return times.count() < FEWEST_JOBS
        ? Optional.empty()
        : times.median().map(Assumptions::seconds).filter(d -> d > 0);
  }

  /** The share of failures of this kind among all attempts of trials that were finally measured. */
  private static Optional<Double> failed(SweepState s, Predicate<AttemptState> ofTheKind) {
    List<AttemptState> cured =
        s.trials().values().stream()
            .filter(t -> t.measurement().isPresent())
            .flatMap(t -> t.attempts().stream())
            .toList();
    long failed = cured.stream().filter(a -> a.failure().isPresent()).filter(ofTheKind).count();
    return cured.size() < FEWEST_JOBS
        ? Optional.empty()
        : Optional.of((double) failed / cured.size());
  }

  /** The share of inert profiles among those with a known program. */
  private static Optional<Double> inert(SweepState s) {
    List<String> told =
        s.findings().stream()
            .filter(f -> f.is(Finding.PROGRAM))
            .map(f -> s.trialOf(f.attempt()))
            .filter(t -> t.purpose() == Trial.Purpose.SCREEN)
            .map(Trial::profile)
            .distinct()
            .toList();
    return told.size() < FEWEST_PROGRAMS
        ? Optional.empty()
        : Optional.of(
            (double) told.stream().filter(p -> Programs.isInert(s, p)).count() / told.size());
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
