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

/** What runs: renders a submission, and reads what came of it. */
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
   * After a launch: what of the files that jobs are made of has changed since the sweep's first
   * one, and what comes of it.
   */
  default Optional<Statement> changedSince(LaunchRequest request) {
    return Optional.empty();
  }

  /** Listens to an attempt's log from now on; called before anything of it is read. */
  default void attend(LaunchRequest request, JobLog log) {}

  /** Reads a running or ended attempt's output; called once per tick while it runs. */
  WorkloadReading read(LaunchRequest request, JobLog log);

  /**
   * The steps that a job has printed by the time of the last {@link #read}, for people who look on:
   * nothing is decided by them. None where the workload has no steps.
   */
  default List<Measurement.MeasuredStep> shown(LaunchRequest request, JobLog log) {
    return List.of();
  }

  /**
   * Why an ended attempt's output is no measurement, where the workload knows better than a
   * playbook that fits any program; asked where no class of the playbook holds.
   *
   * @param endedWell whether the job ended with exit code 0
   */
  default Optional<Diagnosis> unmeasured(LaunchRequest request, JobLog log, boolean endedWell) {
    return Optional.empty();
  }

  /**
   * Where the attempt's output is: the job's own file, where the workload's launcher does not write
   * elsewhere.
   *
   * @param job absent while the submission's outcome is unknown
   */
  default Path log(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    return jobLog;
  }

  /** All files that the attempt writes lines to, {@link #log} first. */
  default List<LogFile> logs(LaunchRequest request, Optional<JobId> job, Path jobLog) {
    return List.of(LogFile.shared(log(request, job, jobLog)));
  }

  /** What an ended check of the nodes measured, one for each pinned node in their order. */
  default List<NodeFigures> nodeFigures(LaunchRequest request) {
    return List.of();
  }

  /** Below which directories an attempt left its HLO dump, profile and logs. */
  default List<Path> evidence(LaunchRequest request, JobId job) {
    return List.of(request.outputDirectory());
  }

  /**
   * Whether the job of an attempt that tells its profile's program ({@link SweepSpec#tellsProgram})
   * leaves the text of its compiled step there.
   */
  default boolean leavesProgram(LaunchRequest request) {
    return false;
  }

  /** When a sweep begins: what it inherits, from files that may change later. */
  default List<Fact> inventory(SweepSpec spec) {
    return List.of();
  }

  /** Before anything starts: what is missing on this machine, each with what to do about it. */
  List<SetupProblem> preflight(SweepSpec spec);

  /** Settings, as {@code name=value}, that earlier notes of the cell's model speak of. */
  default Set<String> namedBefore(SweepSpec spec) {
    return Set.of();
  }

  /** Where people keep the model's pages, if the sweep file asks for the report there. */
  default Optional<Path> deliverTo(SweepSpec spec) {
    return Optional.empty();
  }

  /**
   * {@link #preflight(SweepSpec)}, and what the cluster's machines lack.
   *
   * @param submitHost runs commands on the machine that jobs are submitted from
   */
  default List<SetupProblem> preflight(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    return preflight(spec);
  }

  /**
   * Programs that the sweep's own commands start and that are not on this machine.
   *
   * @param runsHere whether jobs are processes of this machine
   */
  default List<SetupProblem> missingPrograms(SweepSpec spec, boolean runsHere) {
    return List.of();
  }

  /**
   * What of the sweep its program does not have, by what a probe job of an earlier sweep found.
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
   * @param jobName the intent's, unique among all sweeps
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
     * A profiled run takes five minutes more (procedure: 50 minutes beside 45); a run on real data
     * its own time, where the sweep file gives it.
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

    /** What the sweep file sets otherwise for a run on real data. */
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

  /** The prefix of the settings of a run on real data. */
  String VALIDATION = "validation.";

  /** What writing a profile and an HLO dump may add to a job. */
  Duration PROFILING = Duration.ofMinutes(5);

  /** The setting that gives a run on real data its time limit, in minutes. */
  String VALIDATION_MINUTES = "validationMinutes";

  /** What is launched. */
  sealed interface Launch {
    /**
     * The cluster's own way of submission runs it.
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
     * A launcher of the user's queues the job itself.
     *
     * @param script lines of bash that run it; they carry {@link LaunchRequest#jobName}
     * @param patience how long it may take
     */
    record Launcher(String script, Duration patience) implements Launch {}
  }

  /**
   * @param step last step seen, -1 before the first
   * @param stepsTotal 0 where unknown
   * @param measurement present once the output holds a whole measurement
   * @param effective whether the job attests that it saw the profile that was scheduled
   * @param exitCode the job's, where its own output tells it
   * @param sofar of a measurement that is not whole yet, the steps so far, once the window has
   *     begun
   * @param unknownFlags those that the build says it does not know, and as {@code --flag=value}
   *     those whose value it cannot parse
   * @param knownSettings all that the program has, where a probe job tells them
   * @param provenance the software that the job says it runs with, by name; empty where it tells
   *     none
   * @param divergedAt the first step whose loss is no finite number, measured or not
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
        Effective effective,
        OptionalInt exitCode,
        List<String> unknownFlags) {
      this(
          step,
          stepsTotal,
          measurement,
          sofar,
          effective,
          exitCode,
          unknownFlags,
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
      this(
          step,
          stepsTotal,
          measurement,
          Optional.empty(),
          effective,
          OptionalInt.empty(),
          List.of());
    }
  }

  /** What the job's own environment says of the profile. */
  sealed interface Effective {
    record NotYet() implements Effective {}

    record AsScheduled() implements Effective {}

    record Different(Statement found) implements Effective {}
  }

  /**
   * @param fatal whether nothing can be started before it is mended
   * @param setting of the sweep file that is at fault, such as {@code workload/repository}; empty
   *     where it is the machine
   * @param valid the names that the setting may have, where they can be counted
   * @param atKey whether the setting's name is at fault, and not its value
   * @param line of the value, counted from 1, where one is at fault
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

    /** Told in English alone, to whoever sets up the machine. */
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
