package io.nightsweep.workload.kernels;

import io.nightsweep.cluster.Shell;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Runs one case of {@code nightsweep-kernels} per trial. A "step" of its series is a batch of the
 * kernel's trials.
 */
public final class KernelsWorkload implements Workload {
  private static final String RESULT = "result.json";
  private static final String PROFILE_HASH = "NIGHTSWEEP_PROFILE_HASH";

  /**
   * The journal keeps the medians of at most this many batches; every sample stays in the result
   * file.
   */
  private static final int MOST_STEPS = 32;

  /** Variables that the program records, so that they can be attested. */
  private static final Pattern ATTESTED = Pattern.compile("(OMPI_MCA|OPENBLAS|OMP|NCCL|UCX)_.*");

  private final Path home;

  /**
   * @param home base of relative program paths
   */
  public KernelsWorkload(Path home) {
    this.home = home;
  }

  /** The kernels that a study may use. */
  public static Set<String> measurable() {
    return KernelOptions.measurable();
  }

  /** The kernel's parameters that a study may set. */
  public static Set<String> parameters(String kernel) {
    return KernelOptions.parameters(kernel);
  }

  @Override
  public Launch launch(LaunchRequest request) throws UnsupportedTrialException {
    KernelCase kernel = KernelCase.of(request, home);
    TreeMap<String, String> env = new TreeMap<>(request.profile().env());
    env.put(PROFILE_HASH, request.profile().hash());
    String payload =
        "\"${NIGHTSWEEP_LAUNCH[@]}\" "
            + Shell.quote(kernel.program().toString())
            + kernel.arguments().stream()
                .map(argument -> " " + Shell.quote(argument))
                .collect(Collectors.joining())
            + " --out "
            + Shell.quote(request.outputDirectory().resolve(RESULT).toString());
    return new Launch.Payload(
        payload, kernel.ranks(), kernel.perTask(), env, Optional.empty(), Optional.empty());
  }

  @Override
  public void attend(LaunchRequest request, JobLog log) {
    progress(log);
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    Path file = request.outputDirectory().resolve(RESULT);
    if (!Files.exists(file)) {
      TrialProgress progress = progress(log);
      log.lookOrWait();
      return new WorkloadReading(
          progress.step(), progress.total(), Optional.empty(), new Effective.NotYet());
    }
    try {
      return reading(request, KernelCase.of(request, home), KernelResult.read(file));
    } catch (UnsupportedTrialException e) {
      return new WorkloadReading(-1, 0, Optional.empty(), new Effective.Different(e.why()));
    } catch (IOException e) {
      return new WorkloadReading(
          -1,
          0,
          Optional.empty(),
          new Effective.Different(Statement.phrase("result-unreadable", firstLine(e))));
    }
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    Path program = KernelCase.program(spec, home);
    return Files.isExecutable(program)
        ? List.of()
        : List.of(
            new SetupProblem(
                "no program " + program,
                "build it with './nightsweep setup', or set workload.program",
                true));
  }

  private static WorkloadReading reading(
      LaunchRequest request, KernelCase kernel, KernelResult result) throws IOException {
    KernelResult.Case only = result.cases().getFirst();
    int trials = only.trials();
    Optional<Statement> different = difference(request, kernel, result);
    if (different.isPresent()) {
      return new WorkloadReading(
          trials - 1, trials, Optional.empty(), new Effective.Different(different.get()));
    }
    String metric = request.spec().metric().name();
    KernelResult.Component headline = only.headline();
    double value = headline.metric(metric);
    // Whatever the metric, a batch's median time relative to the whole's gives its value.
    boolean inverse = !metric.endsWith("Seconds");
    int batches = Math.min(trials, MOST_STEPS);
    List<Measurement.MeasuredStep> steps = new ArrayList<>();
    for (int batch = 0; batch < batches; batch++) {
      double seconds =
          median(
              headline
                  .samplesSeconds()
                  .subList(
                      batch * trials / batches * only.iterations(),
                      (batch + 1) * trials / batches * only.iterations()));
      double ratio = seconds / headline.p50Seconds();
      steps.add(
          new Measurement.MeasuredStep(
              batch, seconds, inverse ? value / ratio : value * ratio, OptionalDouble.empty()));
    }
    TreeMap<String, Double> extras = new TreeMap<>();
    extras.put("p50Seconds", headline.p50Seconds());
    extras.put("p99Seconds", headline.p99Seconds());
    extras.put("minSeconds", headline.minSeconds());
    extras.put("cv", headline.cv());
    return new WorkloadReading(
        trials - 1,
        trials,
        Optional.of(new Measurement(value, steps, 0, batches - 1, extras)),
        new Effective.AsScheduled());
  }

  /** How the job's environment differs from the schedule. */
  private static Optional<Statement> difference(
      LaunchRequest request, KernelCase kernel, KernelResult result) {
    Profile profile = request.profile();
    String hash = result.environment().getOrDefault(PROFILE_HASH, "none");
    if (!hash.equals(profile.hash())) {
      return Optional.of(Statement.phrase("saw-instead", "profile " + hash, profile.hash()));
    }
    for (Map.Entry<String, String> setting : profile.env().entrySet()) {
      if (ATTESTED.matcher(setting.getKey()).matches()
          && !setting.getValue().equals(result.environment().get(setting.getKey()))) {
        return Optional.of(
            Statement.phrase(
                "saw-instead",
                setting.getKey() + "=" + result.environment().get(setting.getKey()),
                setting.getValue()));
      }
    }
    // Without Slurm, one machine may stand for several nodes.
    boolean nodesAreHosts = result.environment().containsKey("SLURM_JOB_NODELIST");
    KernelResult.Case only = result.cases().getFirst();
    return kernel
        .difference(only)
        .or(
            () ->
                DocumentAudit.contradiction(
                    result, kernel.order(request.spec().cell().nodes().size(), nodesAreHosts)))
        .or(() -> DocumentAudit.contradiction(result, only))
        .map(Statement::words);
  }

  private static TrialProgress progress(JobLog log) {
    return log.listener(TrialProgress.class, () -> new TrialProgress(log.steps()));
  }

  private static double median(List<Double> samples) {
    List<Double> sorted = samples.stream().sorted().toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
