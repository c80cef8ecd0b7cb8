package io.nightsweep.engine;

import io.nightsweep.cluster.PerTask;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs a script that trains or fails according to its profile's {@code FAULT}. */
final class ScriptedWorkload implements Workload {
  private static final int STEPS = 15;
  private static final int FIRST_STEADY = 5;
  private static final Pattern STEP =
      Pattern.compile(
          "completed step: (\\d+), seconds: ([\\d.]+).*Tokens/s/device: ([\\d.]+).*loss: (\\S+)");

  private final Path script;
  private final Path counts;

  /**
   * @param counts where the script records how often each profile ran
   */
  ScriptedWorkload(Path script, Path counts) {
    this.script = script;
    this.counts = counts;
  }

  @Override
  public Launch launch(LaunchRequest request) {
    TreeMap<String, String> env = new TreeMap<>(request.profile().env());
    env.put("COUNTS", counts.toString());
    env.put("PROFILE", request.profile().name());
    env.put("PROFILE_HASH", request.profile().hash());
    env.put("SLURM_OVERLAP", "1");
    env.put(
        "XLA_FLAGS",
        request.profile().flags().entrySet().stream()
            .map(f -> f.getKey() + "=" + f.getValue())
            .collect(Collectors.joining(" ")));
    return new Launch.Payload(
        "exec '" + script + "'", 1, PerTask.UNSAID, env, Optional.empty(), Optional.empty());
  }

  @Override
  public void attend(LaunchRequest request, JobLog log) {
    Workloads.hearSteps(log);
  }

  @Override
  public WorkloadReading read(LaunchRequest request, JobLog job) {
    Path log = job.path();
    TreeMap<Integer, Measurement.MeasuredStep> steps = new TreeMap<>();
    Effective effective = new Effective.NotYet();
    try {
      for (String line : Files.exists(log) ? Files.readAllLines(log) : List.<String>of()) {
        Matcher m = STEP.matcher(line);
        if (m.find()) {
          int step = Integer.parseInt(m.group(1));
          steps.put(
              step,
              new Measurement.MeasuredStep(
                  step,
                  Double.parseDouble(m.group(2)),
                  Double.parseDouble(m.group(3)),
                  OptionalDouble.of(
                      m.group(4).equals("nan") ? Double.NaN : Double.parseDouble(m.group(4)))));
        }
        if (line.contains("PROFILE_HASH=")) {
          effective =
              line.endsWith("=" + request.profile().hash())
                  ? new Effective.AsScheduled()
                  : new Effective.Different(Statement.words(line));
        }
      }
    } catch (IOException e) {
      return new WorkloadReading(-1, STEPS, Optional.empty(), effective);
    }
    int last = steps.isEmpty() ? -1 : steps.lastKey();
    return new WorkloadReading(
        last, STEPS, measurement(new ArrayList<>(steps.values())), effective);
  }

  private static Optional<Measurement> measurement(List<Measurement.MeasuredStep> steps) {
    if (steps.size() < STEPS) {
      return Optional.empty();
    }
    double mean =
        steps.subList(FIRST_STEADY, STEPS).stream()
            .mapToDouble(Measurement.MeasuredStep::value)
            .average()
            .orElseThrow();
    return Optional.of(
        new Measurement(mean, steps, FIRST_STEADY, STEPS - 1, new TreeMap<>(Map.of())));
  }

  @Override
  public List<SetupProblem> preflight(SweepSpec spec) {
    return Files.isExecutable(script)
        ? List.of()
        : List.of(new SetupProblem("no script " + script, "lay it there", true));
  }
}
