package io.nightsweep.workload;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.PerTask;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The program being tuned: creates a submission and reads its output. */
public interface Workload {
  /**
   * What to launch for one attempt.
   *
   * @throws UnsupportedTrialException where this workload or build cannot run the profile
   */
  Launch launch(LaunchRequest request) throws UnsupportedTrialException;

  /** Whether its jobs are submitted by a program that calls {@code sbatch} itself. */
  default boolean needsSlurm() {
    return false;
  }

  /**
   * After a launch: which of the files that jobs are made of have changed since the sweep's first
   * job, and what follows.
   */
  default Optional<Statement> changedSince(LaunchRequest request) {
    return Optional.empty();
  }

  /** Starts to listen to an attempt's log; must be called before the log is read. */
  default void attend(LaunchRequest request, JobLog log) {}

  /** Reads a running or ended attempt's output; called once per tick while it runs. */
  WorkloadReading read(LaunchRequest request, JobLog log);

  /**
   * The steps that a job has printed up to the last {@link #read}, for display only. Empty where
   * the workload has no steps.
   */
  default List<Measurement.MeasuredStep> shown(LaunchRequest request, JobLog log) {
    return List.of();
  }

  /**
   * Why an ended attempt's output is not a measurement, where the workload knows better than a
   * general playbook; used only if no class of the playbook matches.
   *
   * @param endedWell whether the job ended with exit code 0
   */
  default Optional<Diagnosis> unmeasured(LaunchRequest request, JobLog log, boolean endedWell) {
    return Optional.empty();
  }

  /**
   * The attempt's log: the job's own file, unless the workload's launcher writes elsewhere.
   *
   * @param job absent while it is unknown whether the job was submitted
   */
  default Path log(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    return jobLog;
  }

  /** All files of lines that the attempt writes, {@link #log} first. */
  default List<LogFile> logs(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    return List.of(LogFile.shared(log(request, job, jobLog)));
  }

  /** The figures of an ended node check, one for each pinned node, in their order. */
  default List<NodeFigures> nodeFigures(LaunchRequest request) {
    return List.of();
  }

  /** The directories with an attempt's HLO dump, profile and logs. */
  default List<Path> evidence(LaunchRequest request, JobId job) {
    return List.of(request.outputDirectory());
  }

  /**
   * Whether the attempt's job leaves the text of its compiled step, if the sweep uses the attempt
   * to identify its profile's program ({@link SweepSpec#tellsProgram}).
   */
  default boolean leavesProgram(LaunchRequest request) {
    return false;
  }

  /** What the sweep inherits, read when it begins, since the files may change later. */
  default List<Fact> inventory(SweepSpec spec) {
    return List.of();
  }

  /** Checks this machine before anything starts; each problem comes with its remedy. */
  List<SetupProblem> preflight(SweepSpec spec);

  /** Settings, as {@code name=value}, that earlier notes about the cell's model mention. */
  default Set<String> namedBefore(SweepSpec spec) {
    return Set.of();
  }

  /** The folder of the model's pages, if the sweep file wants the report delivered there. */
  default Optional<Path> deliverTo(SweepSpec spec) {
    return Optional.empty();
  }

  /**
   * {@link #preflight(SweepSpec)} plus checks of the cluster's machines.
   *
   * @param submitHost runs commands on the machine from which jobs are submitted
   */
  default List<SetupProblem> preflight(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    return preflight(spec);
  }

  /**
   * Programs that the sweep's commands start but this machine lacks.
   *
   * @param runsHere whether jobs are processes of this machine
   */
  default List<SetupProblem> missingPrograms(SweepSpec spec, boolean runsHere) {
    return List.of();
  }

  /**
   * Settings of the sweep that its program lacks, according to a probe job of an earlier sweep.
   *
   * @param inventory of that sweep
   * @param known the settings that its program has
   * @param whose that sweep's id
   * @return empty where that sweep's program may be another one
   */
  default Optional<List<SetupProblem>> unknownSettings(
      SweepSpec spec, List<Fact> inventory, Set<String> known, String whose) {
    return Optional.empty();
  }

  /**
   * @param jobName of the submission intent, unique among all sweeps
   * @param outputDirectory the attempt's own, on the shared filesystem
   */
  record LaunchRequest(
      SweepSpec spec,
      Trial trial,
      Profile profile,
      ConfigTag configTag,
      AttemptId attempt,
      String jobName,
      Path outputDirectory) {
    /**
     * The usual limit; a profiled run gets five minutes more (procedure: 50 minutes instead of 45),
     * and a run on real data its own limit, if the sweep file has one.
     */
    public Duration timeLimit() {
      Duration usual = spec.policy().jobTimeLimit();
      String minutes = spec.settings().getOrDefault(VALIDATION_MINUTES, "");
      return switch (trial.purpose()) {
        case EVIDENCE -> usual.plus(PROFILING);
        case VALIDATE ->
            minutes.matches("[1-9][0-9]{0,4}")
                ? Duration.ofMinutes(Long.parseLong(minutes))
                : usual;
        case PROBE,
            CONTROL,
            SCREEN,
            CONFIRM,
            CONFIRM_CONTROL,
            CROSS_CHECK,
            CROSS_CONTROL,
            NODE_GATE ->
            usual;
      };
    }

    /** The settings that a run on real data overrides. */
    public Map<String, String> validation() {
      TreeMap<String, String> settings = new TreeMap<>();
      spec.settings()
          .forEach(
              (key, value) -> {
                if (key.startsWith(VALIDATION)) {
                  settings.put(key.substring(VALIDATION.length()), value);
                }
              });
      return settings;
    }
  }

  /** The prefix of settings for a run on real data. */
  String VALIDATION = "validation.";

  /** Extra time for writing a profile and an HLO dump. */
  Duration PROFILING = Duration.ofMinutes(5);

  /** The setting that gives a run on real data its time limit, in minutes. */
  String VALIDATION_MINUTES = "validationMinutes";

  /** How an attempt is launched. */
  sealed interface Launch {
    /**
     * Submitted through the cluster.
     *
     * @param payload lines of bash, run on the first node of the job
     * @param tasks ranks over all nodes
     * @param perTask CPUs and GPUs of each rank
     * @param env exported last
     */
    record Payload(
        String payload,
        int tasks,
        PerTask perTask,
        Map<String, String> env,
        Optional<Duration> timeLimit,
        Optional<Path> workingDirectory)
        implements Launch {}

    /**
     * Submitted by the user's own launcher.
     *
     * @param script lines of bash that run it; they contain {@link LaunchRequest#jobName}
     * @param patience how long it may take
     */
    record Launcher(String script, Duration patience) implements Launch {}
  }

  /**
   * @param step last step seen, -1 before the first
   * @param stepsTotal 0 where unknown
   * @param measurement present once the output contains a complete measurement
   * @param effective whether the job attests that it saw the scheduled profile
   * @param exitCode the job's, if its own output shows it
   * @param sofar an incomplete measurement: the steps so far, once the window has begun
   * @param unknownFlags flags that the build does not know, and, as {@code --flag=value}, those
   *     whose value it cannot parse
   * @param knownSettings all settings of the program, if a probe job lists them
   * @param provenance the software that the job reports, by name; may be empty
   * @param divergedAt the first step with a loss that is not finite, inside or outside the window
   */
  record WorkloadReading(
      int step,
      int stepsTotal,
      Optional<Measurement> measurement,
      Optional<Measurement> sofar,
      Effective effective,
      OptionalInt exitCode,
      List<String> unknownFlags,
      Set<String> knownSettings,
      SortedMap<String, String> provenance,
      OptionalInt divergedAt) {
    public WorkloadReading(
        int step,
        int stepsTotal,
        Optional<Measurement> measurement,
        Optional<Measurement> sofar,
        Effective effective) {
      this(
          step,
          stepsTotal,
          measurement,
          sofar,
          effective,
          OptionalInt.empty(),
          List.of(),
          Set.of(),
          new TreeMap<>(),
          measurement.or(() -> sofar).stream()
              .flatMap(m -> m.steps().stream())
              .filter(s -> !Double.isFinite(s.loss().orElse(0)))
              .mapToInt(Measurement.MeasuredStep::index)
              .findFirst());
    }

    public WorkloadReading(
        int step, int stepsTotal, Optional<Measurement> measurement, Effective effective) {
      this(step, stepsTotal, measurement, Optional.empty(), effective);
    }
  }

  /** What the job's own environment shows about the profile. */
  sealed interface Effective {
    record NotYet() implements Effective {}

    record AsScheduled() implements Effective {}

    record Different(Statement found) implements Effective {}
  }

  /**
   * @param fatal whether nothing can start before it is fixed
   * @param setting of the sweep file that is wrong, such as {@code workload/repository}; empty
   *     where the machine is
   * @param valid the setting's valid names, where there is a list
   * @param atKey whether the setting's name is wrong, and not its value
   * @param line of the value that is wrong, counted from 1
   */
  record SetupProblem(
      Statement found,
      String whatToDo,
      boolean fatal,
      String setting,
      List<String> valid,
      boolean atKey,
      OptionalInt line) {
    public SetupProblem {
      valid = List.copyOf(valid);
    }

    public SetupProblem(
        Statement found,
        String whatToDo,
        boolean fatal,
        String setting,
        List<String> valid,
        boolean atKey) {
      this(found, whatToDo, fatal, setting, valid, atKey, OptionalInt.empty());
    }

    public SetupProblem(
        Statement found, String whatToDo, boolean fatal, String setting, List<String> valid) {
      this(found, whatToDo, fatal, setting, valid, false);
    }

    /** A problem described only in English, for the person who sets up the machine. */
    public SetupProblem(
        String found, String whatToDo, boolean fatal, String setting, List<String> valid) {
      this(Statement.words(found), whatToDo, fatal, setting, valid);
    }

    public SetupProblem(String found, String whatToDo, boolean fatal) {
      this(found, whatToDo, fatal, "");
    }

    public SetupProblem(String found, String whatToDo, boolean fatal, String setting) {
      this(Statement.words(found), whatToDo, fatal, setting, List.of());
    }
  }
}
