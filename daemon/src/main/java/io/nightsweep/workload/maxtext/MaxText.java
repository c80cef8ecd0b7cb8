package io.nightsweep.workload.maxtext;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Metric;
import io.nightsweep.workload.Deployment;
import io.nightsweep.workload.Foresight;
import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.StartingValues;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.UnsupportedTrialException;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.WorkloadKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** MaxText on Slurm, launched by a maxtext-slurm checkout. */
public final class MaxText implements WorkloadKind {
  @Override
  public String name() {
    return "maxtext";
  }

  @Override
  public String about() {
    return "a model that a MaxText checkout trains";
  }

  @Override
  public Workload open(Path home) {
    return new MaxTextWorkload();
  }

  @Override
  public StartingValues starting(Optional<Path> repository, CommandRunner submitHost)
      throws InterruptedException {
    return StartingFile.of(repository, submitHost);
  }

  @Override
  public List<SettingProblem> check(SweepSettings settings) {
    return MaxTextChecks.of(settings);
  }

  @Override
  public Optional<String> validation() {
    return Optional.of("{steps: 200, dataset_type: grain}");
  }

  @Override
  public String plan() {
    return "xla-tuning";
  }

  @Override
  public String playbook() {
    return "maxtext-rocm";
  }

  @Override
  public Optional<Metric> metric(Map<String, String> settings) {
    return Optional.of(
        new Metric("tokensPerSecondPerDevice", "tok/s/device", Metric.Better.HIGHER));
  }

  @Override
  public void hearSteps(JobLog log) {
    log.listener(TrainingSteps.class, () -> new TrainingSteps(log.steps()));
  }

  /** The model's configuration; empty where it cannot be read, which the preflight reports. */
  @Override
  public SortedMap<String, String> inherited(String model, Map<String, String> settings) {
    String repository = settings.getOrDefault(MaxTextSettings.REPOSITORY, "");
    try {
      return repository.isEmpty() || !model.matches("[A-Za-z0-9][A-Za-z0-9._-]*")
          ? new TreeMap<>()
          : ModelFiles.config(Path.of(repository), model).values();
    } catch (IOException | UnsupportedTrialException e) {
      return new TreeMap<>();
    }
  }

  @Override
  public Foresight foresight(Map<String, Integer> axes, Map<String, String> settings) {
    return PipelineShape.of(axes, settings).map(Foresight.class::cast).orElse(Foresight.NONE);
  }

  @Override
  public Deployment deployment() {
    return new EnvPatch();
  }
}
