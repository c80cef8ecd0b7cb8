package io.nightsweep.workload.command;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.Shell;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.measure.SteadyState;
import io.nightsweep.measure.StepSeries;
import io.nightsweep.measure.Window;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.TaskSettings;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Any command or batch script that prints one line per step, read by patterns of the sweep file;
 * for instance a training script in any framework.
 */
public final class CommandWorkload implements Workload {
  private static final String HASH = "NIGHTSWEEP_PROFILE_HASH";

  /** Tells a job its number of steps; further steps are not read. */
  static final String STEPS = "NIGHTSWEEP_STEPS";

  /**
   * Printed by the job's first rank before the command begins, with the value that it really sees.
   */
  static final String ATTEST = "nightsweep: effective ";

  @Override
  public Launch launch(LaunchRequest request) throws UnsupportedTrialException {
    CommandSettings s = settings(request);
    Map<String, String> env = environment(request, s);
    for (String name : env.keySet()) {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw new UnsupportedTrialException(Statement.phrase("unsupported-variable", name));
      }
    }
    env.put(HASH, request.profile().hash());
    env.put(STEPS, "" + s.steps());
    String flags = flags(request);
    String append =
        flags.isEmpty()
            ? ""
            : "export %1$s=\"${%1$s:+$%1$s }\"%2$s\n"
                .formatted(s.flagsVariable(), Shell.quote(flags));
    StringBuilder attest = new StringBuilder();
    for (String name : env.keySet()) {
      attest.append(attestation(name));
    }
    if (!flags.isEmpty()) {
      attest.append(attestation(s.flagsVariable()));
    }
    String run =
        s.perRank()
            ? "\"${NIGHTSWEEP_LAUNCH[@]}\" bash -c " + Shell.quote(s.command())
            : s.command();
    return new Launch.Payload(
        append + attest + run,
        s.ranks(),
        TaskSettings.of(request.spec().settings()),
        env,
        Optional.of(request.timeLimit()),
        s.directory());
  }

  @Override
  public void attend(LaunchRequest request, JobLog log) {
    output(request, log);
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog log) {
    CommandSettings s = settings(request);
    CommandOutput output = output(request, log);
    log.lookOrWait();
    return new WorkloadReading(
        output.lastStep(), s.steps(), measurement(s, output), effective(request, s, output));
  }

  @Override
  public Optional<Diagnosis> unmeasured(LaunchRequest request, JobLog log, boolean endedWell) {
    return output(request, log).diagnosis(settings(request), endedWell);
  }

  private static CommandOutput output(LaunchRequest request, JobLog log) {
    return log.listener(
        CommandOutput.class,
        () -> {
          CommandSettings s = settings(request);
          return new CommandOutput(s.pattern(), s.steps(), log.steps());
        });
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return StartFolders.missing(spec);
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec, CommandRunner submitHost)
      throws InterruptedException {
    List<SetupProblem> problems = new ArrayList<>(preflight(spec));
    problems.addAll(CommandSyntax.problems(spec, submitHost));
    if (!settings(spec).pattern().namedGroups().containsKey("loss")) {
      problems.add(
          new SetupProblem(
              "nothing shows what the program computes: workload.pattern reads no (?<loss>...)",
              "a profile that computes something else, or less, can win. If the program prints a"
                  + " figure of its result, such as a loss, a sum or a size, let the pattern read"
                  + " it"
                  + " as (?<loss>...)",
              false,
              "workload/pattern"));
    }
    return problems;
  }

  @Override
  public List<SetupProblem> missingPrograms(SweepSpec spec, boolean runsHere) {
    return MissingPrograms.of(spec, runsHere);
  }

  private static Optional<Measurement> measurement(CommandSettings s, CommandOutput log) {
    int to = s.steps() - 1;
    if (to < s.windowFrom() || log.lastStep() < to) {
      return Optional.empty();
    }
    StepSeries series = new StepSeries(log.steps());
    Window window = new Window(s.windowFrom(), to);
    return SteadyState.of(series, window)
        .map(
            steady ->
                new Measurement(
                    steady.mean(),
                    steps(log),
                    window.from(),
                    window.to(),
                    new TreeMap<>(Map.of(Measurement.DECAY, steady.decay()))));
  }

  @Override
  public List<Measurement.MeasuredStep> shown(LaunchRequest request, JobLog log) {
    return steps(output(request, log));
  }

  private static List<Measurement.MeasuredStep> steps(CommandOutput log) {
    return log.steps().stream()
        .map(
            x ->
                new Measurement.MeasuredStep(
                    x.index(), Double.isNaN(x.seconds()) ? 0 : x.seconds(), x.value(), x.loss()))
        .toList();
  }

  private static Effective effective(LaunchRequest request, CommandSettings s, CommandOutput log) {
    String hash = log.seen().get(HASH);
    if (hash == null) {
      return new Effective.NotYet();
    }
    if (!hash.equals(request.profile().hash())) {
      return new Effective.Different(
          Statement.phrase("saw-instead", "profile " + hash, request.profile().hash()));
    }
    for (Map.Entry<String, String> e : environment(request, s).entrySet()) {
      // The variable for flags has more in it than was set, since flags are appended.
      String seen = log.seen().getOrDefault(e.getKey(), "");
      if (!e.getKey().equals(s.flagsVariable()) && !seen.equals(e.getValue().split("\n", 2)[0])) {
        return new Effective.Different(
            Statement.phrase("saw-instead", e.getKey() + "=" + seen, e.getValue()));
      }
    }
    String flags = flags(request);
    return flags.isEmpty() || log.seen().getOrDefault(s.flagsVariable(), "").endsWith(flags)
        ? new Effective.AsScheduled()
        : new Effective.Different(Statement.phrase("saw-no-flags", flags));
  }

  private static CommandSettings settings(SweepSpec spec) {
    return CommandSettings.of(spec.settings(), spec.cell().nodes().size());
  }

  private static CommandSettings settings(LaunchRequest request) {
    TreeMap<String, String> all = new TreeMap<>(request.spec().settings());
    all.putAll(request.configTag().overrides());
    all.putAll(request.profile().overrides());
    if (request.trial().purpose() == Trial.Purpose.VALIDATE) {
      all.putAll(request.validation());
    }
    request.spec().shortSteps(request.trial()).ifPresent(n -> all.put("steps", "" + n));
    return CommandSettings.of(all, request.spec().cell().nodes().size());
  }

  private static Map<String, String> environment(LaunchRequest request, CommandSettings s) {
    TreeMap<String, String> env = new TreeMap<>(s.variables());
    env.putAll(s.env());
    env.putAll(request.profile().env());
    return env;
  }

  private static String flags(LaunchRequest request) {
    StringBuilder text = new StringBuilder();
    request
        .profile()
        .flags()
        .forEach(
            (flag, value) ->
                text.append(text.isEmpty() ? "" : " ")
                    .append(flag)
                    .append(value.isEmpty() ? "" : "=" + value));
    return text.toString();
  }

  private static String attestation(String name) {
    return "printf '%%s%%s=%%s\\n' '%1$s' '%2$s' \"${%2$s:-}\"\n".formatted(ATTEST, name);
  }
}
