package io.nightsweep.sim;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.cluster.Submission;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** A workload with measurements and disturbances from the surface. */
public final class SimWorkload implements Workload {
  private static final int STEPS = 15;
  private static final int WINDOW_FROM = STEPS - DrawnSurface.WINDOW_STEPS;
  private static final String RUNS = "SIM_STEPS";

  /** The first step of a running job that is observed; earlier ones decide nothing. */
  private static final int SHOWN_FROM = WINDOW_FROM + 3;

  /** The first steps are slower; each has this fraction of the speed of the one after it. */
  private static final int WARM_UP = 5;

  private static final double WARM_UP_FACTOR = 0.97;
  private static final double STEP_SECONDS = 25;

  /** The share of a job's time before its first step: start-up and compilation. */
  public static final double PREPARATION = 0.4;

  /** A probe or node check ends before anything is compiled, after this share of a job's time. */
  private static final double PROBE_SHARE = 0.25;

  private static final String PROFILE = "SIM_PROFILE";
  private static final String TAKES = "SIM_TAKES";
  private static final String FAILS_AS = "SIM_FAILS_AS";
  private static final String FAILS_AFTER = "SIM_FAILS_AFTER";

  private final Surface surface;
  private final SimCluster cluster;
  private final String sweep;
  private final Instant nightfall;
  private final long seed;
  private final boolean printsSteps;

  public SimWorkload(
      Surface surface, SimCluster cluster, String sweep, Instant nightfall, long seed) {
    this.surface = surface;
    this.cluster = cluster;
    this.sweep = sweep;
    this.nightfall = nightfall;
    this.seed = seed;
    printsSteps = surface.steps(new SplittableRandom(seed), STEPS).length > 0;
  }

  @Override
  public Launch launch(LaunchRequest request) {
    Map<String, String> env = new HashMap<>();
    env.put(PROFILE, request.profile().name());
    Trial.Purpose purpose = request.trial().purpose();
    if (purpose == Trial.Purpose.PROBE || purpose == Trial.Purpose.NODE_GATE) {
      env.put(TAKES, Double.toString(PROBE_SHARE));
    } else {
      int steps = steps(request);
      env.put(RUNS, "" + steps);
      env.put(TAKES, "" + share(steps));
      surface
          .failure(request.profile(), request.configTag().name())
          .ifPresent(
              f -> {
                env.put(FAILS_AS, f.failureClass());
                env.put(FAILS_AFTER, "" + Math.min(1, f.afterFraction() / share(steps)));
              });
    }
    return new Launch.Payload("true", 1, PerTask.UNSAID, env, Optional.empty(), Optional.empty());
  }

  private static int steps(LaunchRequest request) {
    return request.spec().shortSteps(request.trial()).orElse(STEPS);
  }

  /**
   * The time of a job with this many steps as a share of a whole job's; its preparation is as long
   * as any other's.
   */
  static double share(int steps) {
    return PREPARATION + (1 - PREPARATION) * steps / STEPS;
  }

  /** The steps that the job runs. */
  static int steps(Submission submission) {
    return Integer.parseInt(submission.env().getOrDefault(RUNS, "" + STEPS));
  }

  /** The profile that the job runs, by name. */
  static Optional<String> profile(Submission submission) {
    return Optional.ofNullable(submission.env().get(PROFILE));
  }

  /** This job's time as a share of a whole job's. */
  static double share(Submission submission) {
    return Double.parseDouble(submission.env().getOrDefault(TAKES, "1"));
  }

  /** How the job's profile always fails, if its launch says so. */
  static Optional<Response.Fails> failure(Submission submission) {
    return Optional.ofNullable(submission.env().get(FAILS_AS))
        .map(
            failureClass ->
                new Response.Fails(
                    failureClass,
                    Double.parseDouble(submission.env().getOrDefault(FAILS_AFTER, "1"))));
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    Optional<SimCluster.JobLife> life = cluster.life(request.attempt().jobName(sweep));
    int steps = steps(request);
    int step = life.map(this::step).orElse(steps - 1);
    Optional<Measurement> whole =
        step < steps - 1 ? Optional.empty() : Optional.of(measure(request, life));
    Optional<Measurement> sofar =
        step < WINDOW_FROM || whole.isPresent()
            ? Optional.empty()
            : Optional.of(measure(request, life))
                .filter(m -> !m.steps().isEmpty())
                .map(m -> until(m, step));
    return new WorkloadReading(step, steps, whole, sofar, new Effective.AsScheduled());
  }

  private static Measurement until(Measurement whole, int step) {
    List<Measurement.MeasuredStep> steps = whole.steps().subList(0, step + 1);
    double mean =
        steps.stream()
            .skip(WINDOW_FROM)
            .mapToDouble(Measurement.MeasuredStep::value)
            .average()
            .orElse(0);
    return new Measurement(mean, steps, WINDOW_FROM, whole.windowTo(), new TreeMap<>());
  }

  /** The last step that a job has printed by now; -1 during its preparation. */
  private int step(SimCluster.JobLife life) {
    Duration done = Duration.between(life.start(), cluster.now());
    Duration worked = life.standsStill().filter(s -> s.compareTo(done) < 0).orElse(done);
    double share = (double) worked.toMillis() / Math.max(1, wholeWork(life));
    double preparation = PREPARATION / share(life.steps());
    double trained = (share - preparation) / (1 - preparation);
    return Math.clamp((long) Math.floor(trained * life.steps()) - 1, -1, life.steps() - 1);
  }

  /**
   * The working time up to the last step in milliseconds; for a hanging job, as if it did not hang.
   */
  private static long wholeWork(SimCluster.JobLife life) {
    return life.standsStill().isPresent()
        ? life.work().toMillis()
        : Duration.between(life.start(), life.end()).toMillis();
  }

  @Override
  public boolean leavesProgram(LaunchRequest request) {
    return surface.program(request.profile()).isPresent();
  }

  /** The job's compiled program, by the surface. */
  Finding program(LaunchRequest request) {
    TreeMap<String, Double> program = new TreeMap<>();
    surface.program(request.profile()).ifPresent(name -> program.put(name, 1.0));
    return new Finding(
        request.attempt(),
        Finding.PROGRAM,
        Statement.words("what the job compiled"),
        List.of("job of " + request.attempt() + ": module.jit_train_step.after_optimizations.txt"),
        program);
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return List.of();
  }

  /** When the running job prints the next step that can decide something. */
  Optional<Instant> nextStep() {
    return printsSteps ? cluster.running().flatMap(this::nextStep) : Optional.empty();
  }

  private Optional<Instant> nextStep(SimCluster.JobLife life) {
    int next = Math.max(step(life) + 1, SHOWN_FROM);
    double preparation = PREPARATION / share(life.steps());
    double trained = (next + 1.0) / life.steps();
    long at = (long) Math.ceil(wholeWork(life) * (preparation + (1 - preparation) * trained));
    return next < life.steps() - 1
        ? Optional.of(life.start().plusMillis(at + 1))
        : Optional.empty();
  }

  private Measurement measure(LaunchRequest request, Optional<SimCluster.JobLife> life) {
    // Seeded by the attempt, so that a replayed night gives the same results.
    SplittableRandom random =
        new SplittableRandom(
            seed * 1_000_003L
                + request.attempt().trial().number() * 31L
                + request.attempt().attempt());
    Instant start = life.map(SimCluster.JobLife::start).orElseGet(cluster::now);
    Measurement measured =
        measure(
            surface,
            new Surface.SurfaceRun(
                request.profile(),
                Hours.of(Duration.between(nightfall, start)),
                life.flatMap(SimCluster.JobLife::before)),
            request.configTag().name(),
            request.spec().metric().better(),
            steps(request),
            random);
    return request.trial().purpose() == Trial.Purpose.VALIDATE
        ? training(measured, surface.losses(request.profile(), measured.steps().size()))
        : measured;
  }

  private static Measurement training(Measurement m, double[] losses) {
    List<Measurement.MeasuredStep> steps =
        IntStream.range(0, m.steps().size())
            .mapToObj(
                i -> {
                  Measurement.MeasuredStep step = m.steps().get(i);
                  return i < losses.length
                      ? new Measurement.MeasuredStep(
                          step.index(), step.seconds(), step.value(), OptionalDouble.of(losses[i]))
                      : step;
                })
            .toList();
    return new Measurement(m.value(), steps, m.windowFrom(), m.windowTo(), m.extras());
  }

  /** The measurement of one whole run. */
  public static Measurement measure(
      Surface surface,
      Surface.SurfaceRun run,
      String tag,
      Metric.Better better,
      SplittableRandom random) {
    return measure(surface, run, tag, better, STEPS, random);
  }

  private static Measurement measure(
      Surface surface,
      Surface.SurfaceRun run,
      String tag,
      Metric.Better better,
      int count,
      SplittableRandom random) {
    double log =
        surface.effect(run.profile(), tag)
            + surface.drift(run.hours())
            + surface.noise(random)
            + surface.disturbance(run, random);
    double sign = better == Metric.Better.HIGHER ? 1 : -1;
    double level = surface.baseline(tag) * Math.exp(sign * log);
    List<Measurement.MeasuredStep> steps = steps(level, sign, surface.steps(random, count));
    double value =
        steps.stream()
            .skip(WINDOW_FROM)
            .mapToDouble(Measurement.MeasuredStep::value)
            .average()
            .orElse(level);
    return new Measurement(value, steps, WINDOW_FROM, count - 1, new TreeMap<>());
  }

  private static List<Measurement.MeasuredStep> steps(
      double level, double sign, double[] deviations) {
    return IntStream.range(0, deviations.length)
        .mapToObj(
            i -> {
              double warm = i < WARM_UP ? Math.pow(WARM_UP_FACTOR, WARM_UP - i) : 1;
              double value = level * Math.exp(sign * (deviations[i] + Math.log(warm)));
              return new Measurement.MeasuredStep(i, STEP_SECONDS, value, OptionalDouble.empty());
            })
        .toList();
  }
}
