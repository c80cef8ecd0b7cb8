package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobScript;
import io.nightsweep.cluster.Shell;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * MaxText, launched by its own {@code submit.sh}. Each attempt submits from a copy of the
 * repository in which the model's env file ends with the profile's flags, and the batch script
 * claims the intent and writes the exit record.
 */
public final class MaxTextWorkload implements Workload {
  /** Copying the files on a network filesystem is slow. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  static final String BATCH_SCRIPT = "_job.sbatch";
  private static final String WRAPPED_SCRIPT = "_job.nightsweep.sbatch";

  @Override
  public Launch launch(LaunchRequest request) throws UnsupportedTrialException {
    MaxTextSettings settings = MaxTextSettings.of(request.spec());
    try {
      String model = request.spec().cell().model();
      FrozenCheckout frozen = FrozenCheckout.of(settings, model, attempts(request));
      ModelConfig config = ModelFiles.config(frozen.files(), model);
      Rendering rendering = Rendering.of(request, settings, config);
      Files.createDirectories(parent(request.outputDirectory()));
      frozen.make();
      // A new folder each time: the launcher of a daemon that died may still use the last one.
      Path repository = Files.createTempDirectory(parent(request.outputDirectory()), "checkout-");
      PrivateCheckout.copy(frozen.copy(), settings.outputs(), repository);
      ModelFiles.prepare(repository, config, rendering, request);
      wrapBatchScript(repository, new JobFiles(parent(request.outputDirectory())));
      new LauncherGit(repository)
          .takeAsCommitted(
              Stream.concat(Stream.of(BATCH_SCRIPT), ModelFiles.names(model)).toList());
      new RunFile(rendering.steps(), rendering.window(), frozen.commit())
          .write(request.outputDirectory());
      return new Launch.Launcher(
          script(request, settings, rendering.command(), repository), PATIENCE);
    } catch (IOException e) {
      throw new UnsupportedTrialException(
          Statement.phrase(
              "unsupported-copy", settings.checkout(), String.valueOf(e.getMessage())));
    }
  }

  @Override
  public Optional<Statement> changedSince(LaunchRequest request) {
    return FrozenCheckout.of(
            MaxTextSettings.of(request.spec()), request.spec().cell().model(), attempts(request))
        .changes()
        .map(files -> Statement.phrase("changed-checkout", files));
  }

  @Override
  public Path log(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    Path outputs = MaxTextSettings.of(request.spec()).outputs();
    return job.flatMap(id -> JobLogs.main(outputs, id)).orElse(jobLog);
  }

  /** The dump and the profile are in the job's folder below the launcher's outputs. */
  @Override
  public List<Path> evidence(LaunchRequest request, JobId job) {
    return JobLogs.folder(MaxTextSettings.of(request.spec()).outputs(), job).stream().toList();
  }

  @Override
  public boolean leavesProgram(LaunchRequest request) {
    return Rendering.leavesProgram(request, MaxTextSettings.of(request.spec()));
  }

  @Override
  public List<LogFile> logs(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    Path outputs = MaxTextSettings.of(request.spec()).outputs();
    return Stream.concat(
            Stream.of(LogFile.shared(log(request, job, jobLog))),
            job.flatMap(id -> JobLogs.folder(outputs, id)).stream()
                .flatMap(
                    folder ->
                        Stream.of(
                                JobLogs.ray(folder),
                                JobLogs.metrics(folder),
                                JobLogs.events(folder))
                            .flatMap(List::stream)))
        .toList();
  }

  @Override
  public boolean needsSlurm() {
    return true;
  }

  @Override
  public void attend(LaunchRequest request, JobLog log) {
    training(request, log);
  }

  private static TrainingLog training(LaunchRequest request, JobLog log) {
    return log.listener(
        TrainingLog.class,
        () -> new TrainingLog(EnvBlock.variables(environment(request)), log.steps()));
  }

  private static Map<String, String> environment(LaunchRequest request) {
    Map<String, String> env = new TreeMap<>(MaxTextSettings.of(request.spec()).env());
    env.putAll(request.profile().env());
    return env;
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    Map<String, String> env = environment(request);
    TrainingLog seen = training(request, log);
    log.lookOrWait();
    RunFile run = RunFile.read(request.outputDirectory());
    SortedMap<String, String> provenance = new TreeMap<>(seen.provenance());
    run.launcherCommit().ifPresent(commit -> provenance.put(Inventory.COMMIT, commit));
    Optional<Measurement> measurement =
        Measuring.of(seen, run.window(), request.spec().metric().name());
    return new WorkloadReading(
        seen.lastStep(),
        run.steps(),
        measurement,
        measurement.isPresent()
            ? Optional.empty()
            : Measuring.sofar(seen, run.window(), request.spec().metric().name()),
        Attestation.of(seen, request.profile(), env),
        seen.exitCode(),
        seen.unknownFlags(),
        seen.knownSettings(),
        provenance,
        seen.divergedAt());
  }

  @Override
  public List<Measurement.MeasuredStep> shown(LaunchRequest request, JobLog log) {
    return Measuring.steps(training(request, log), request.spec().metric().name());
  }

  @Override
  public List<Fact> inventory(SweepSpec spec) {
    return Inventory.of(spec);
  }

  @Override
  public Set<String> namedBefore(SweepSpec spec) {
    return EarlierPage.of(spec).map(EarlierPage::settings).orElse(Set.of());
  }

  @Override
  public Optional<Path> deliverTo(SweepSpec spec) {
    MaxTextSettings settings = MaxTextSettings.of(spec);
    return settings.delivers() ? Optional.of(settings.checkout()) : Optional.empty();
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return Preflight.of(spec);
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    List<SetupProblem> problems = new ArrayList<>(Preflight.of(spec));
    if (problems.stream().noneMatch(SetupProblem::fatal)) {
      problems.addAll(Preflight.of(spec, submitHost));
    }
    return problems;
  }

  @Override
  public Optional<List<SetupProblem>> unknownSettings(
      SweepSpec spec, List<Fact> inventory, Set<String> known, String whose) {
    return Preflight.unknownSettings(spec, inventory, known, whose);
  }

  /** Wraps the batch script, if there is one; otherwise only Slurm reports how the job ended. */
  private static void wrapBatchScript(Path repository, JobFiles files) throws IOException {
    Path script = repository.resolve(BATCH_SCRIPT);
    if (Files.isRegularFile(script)) {
      String original = Files.readString(script);
      Files.move(script, repository.resolve(WRAPPED_SCRIPT));
      ModelFiles.write(
          script,
          JobScript.around(
              files,
              PrivateCheckout.directives(original),
              "bash \"${MAXTEXT_SLURM_DIR:-.}/"
                  + WRAPPED_SCRIPT
                  + "\" \"${nightsweep_arguments[@]}\"\n"
                  + "nightsweep_code=$?\n"
                  + InstalledMaxText.imageScript()
                  + "\nreturn $nightsweep_code"));
    }
  }

  /**
   * Passes nothing of the daemon's environment on, since the job prints its whole environment into
   * its log. The launcher gets only the variables of {@code workload.launcher}.
   */
  private static String script(
      LaunchRequest request, MaxTextSettings settings, SubmitCommand command, Path repository) {
    boolean ray = settings.ray() && request.trial().purpose() != Trial.Purpose.PROBE;
    // A job starts in the folder from which it was submitted, so that folder must persist.
    return "mkdir -p "
        + Shell.quote(settings.outputs().toString())
        + " && cd "
        + Shell.quote(settings.outputs().toString())
        + " || return 72\n"
        + "env -i PATH=\"$PATH\" HOME=\"$HOME\" USER=\"${USER:-$(id -un)}\" LANG=C.UTF-8 \\\n"
        + "  ${SLURM_CONF:+SLURM_CONF=\"$SLURM_CONF\"} \\\n"
        // A copy without history must not count as part of a repository that encloses the sweep's
        // folder.
        + "  GIT_CEILING_DIRECTORIES="
        + Shell.quote(parent(repository).toString())
        + " JOB_WORKSPACE="
        + Shell.quote(settings.outputs().toString())
        + (ray ? " RAY=1" : "")
        + settings.stageTimeouts().map(t -> " STAGE_TIMEOUTS=" + Shell.quote(t)).orElse("")
        + settings.launcher().entrySet().stream()
            .map(e -> " \\\n  " + e.getKey() + "=" + Shell.quote(e.getValue()))
            .collect(Collectors.joining())
        + " \\\n  timeout -k 5 "
        + PATIENCE.minusSeconds(20).toSeconds()
        + " "
        + Shell.quote(repository.resolve("submit.sh").toString())
        + " "
        + command.arguments().stream().map(Shell::quote).collect(Collectors.joining(" "))
        + " || return\n"
        + "rm -rf "
        + Shell.quote(repository.toString());
  }

  /** All flags of all candidates, for the one job that checks whether the build knows them. */
  static Map<String, String> candidateFlags(SweepSpec spec) {
    TreeMap<String, String> flags = new TreeMap<>();
    for (Profile profile : spec.everyProfile()) {
      profile.flags().forEach(flags::putIfAbsent);
    }
    return flags;
  }

  /** The folder with the folders of the sweep's attempts. */
  private static Path attempts(LaunchRequest request) {
    return parent(parent(request.outputDirectory()));
  }

  private static Path parent(Path path) {
    Path parent = path.getParent();
    if (parent == null) {
      throw new IllegalArgumentException(path + " is no attempt's directory");
    }
    return parent;
  }
}
