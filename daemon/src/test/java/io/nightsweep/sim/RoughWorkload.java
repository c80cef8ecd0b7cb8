package io.nightsweep.sim;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.triage.Diagnoser;
import io.nightsweep.triage.Watch;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Measures with noise, occasionally something that was not scheduled, and a loss that is not a
 * number; failures have any class, and some jobs leave files that their reader fails on. A job's
 * files depend only on the attempt, as on a disk.
 */
final class RoughWorkload implements Workload, Diagnoser {
  private final long seed;
  private final double roughness;
  private final double hostileFiles;
  private final List<String> classes;

  RoughWorkload(long seed, double roughness, double hostileFiles, List<String> classes) {
    this.seed = seed;
    this.roughness = roughness;
    this.hostileFiles = hostileFiles;
    this.classes = classes;
  }

  @Override
  public Launch launch(LaunchRequest request) throws UnsupportedTrialException {
    String profile = request.profile().name();
    if (profile.equals("p5") && roughness > 0) {
      throw new UnsupportedTrialException(Statement.words("not in this build"));
    }
    return new Launch.Payload(
        "true", 1, PerTask.UNSAID, Map.of(), Optional.empty(), Optional.empty());
  }

  /** For a file that overflows its reader, each reading ends alike. */
  private static final class HostileFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HostileFileException() {
      super("a hostile file", null, false, false);
    }
  }

  private void fallOverHostileFiles(AttemptId attempt) {
    if (new SplittableRandom(~seed ^ attempt.hashCode()).nextDouble() < roughness * hostileFiles) {
      throw new HostileFileException();
    }
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    fallOverHostileFiles(request.attempt());
    SplittableRandom random =
        new SplittableRandom(
            31 * (seed + 1_000_003L * request.attempt().trial().number())
                + request.attempt().attempt());
    double gain = request.profile().name().equals("p3") ? 0.04 : 0;
    double value = 1000 * Math.exp(gain + 0.006 * random.nextGaussian());
    double loss =
        random.nextDouble() < roughness / 20 ? Double.NaN : 2 + 0.001 * random.nextDouble();
    List<Measurement.MeasuredStep> steps = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      steps.add(new Measurement.MeasuredStep(i, 1, value, OptionalDouble.of(loss)));
    }
    boolean empty = random.nextDouble() < roughness / 10;
    Effective effective =
        random.nextDouble() < roughness / 10
            ? new Effective.Different(Statement.words("another profile"))
            : random.nextDouble() < roughness / 20
                ? new Effective.NotYet()
                : new Effective.AsScheduled();
    return new WorkloadReading(
        7,
        8,
        empty
            ? Optional.empty()
            : Optional.of(new Measurement(value, steps, 2, 7, new TreeMap<>())),
        effective);
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return List.of();
  }

  /** Some quiet jobs are diagnosed, always the same ones. */
  @Override
  public Optional<Diagnosis> look(AttemptId attempt, JobLog log, Watch watch) {
    fallOverHostileFiles(attempt);
    return new SplittableRandom(seed ^ attempt.hashCode()).nextDouble() < roughness / 10
        ? Optional.of(new Diagnosis("hang", 0.9, List.of(), Statement.words("silent"), List.of()))
        : Optional.empty();
  }

  @Override
  public void attend(JobLog log) {}

  @Override
  public Diagnosis diagnose(
      AttemptId attempt,
      JobEnd end,
      JobLog log,
      int step,
      int stepsTotal,
      Optional<Diagnosis> givenUp) {
    if (givenUp.isPresent()) {
      return givenUp.get();
    }
    SplittableRandom random = new SplittableRandom(seed + log.path().toString().hashCode());
    String failureClass =
        switch (end.state()) {
          case COMPLETED, FAILED -> classes.get(random.nextInt(classes.size()));
          case OUT_OF_MEMORY -> "oom-gpu";
          case NODE_FAIL -> "node-fail";
          case NEVER_STARTED -> "prolog-kill";
          case VANISHED -> "vanished";
          case TIME_LIMIT, CANCELLED, PREEMPTED, REQUEUED, DUPLICATE -> "unheard-of";
        };
    return new Diagnosis(
        failureClass,
        0.9,
        List.of(),
        Statement.words("as " + end.state()),
        List.of("--xla_gpu_nonsense", "n2"));
  }
}
