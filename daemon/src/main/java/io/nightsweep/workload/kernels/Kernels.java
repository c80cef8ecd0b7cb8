package io.nightsweep.workload.kernels;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Metric;
import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One of the kernels of {@code nightsweep-kernels}. */
public final class Kernels implements WorkloadKind {
  @Override
  public String name() {
    return "kernels";
  }

  @Override
  public String about() {
    return "a kernel of Nightsweep's own";
  }

  @Override
  public Workload open(Path home) {
    return new KernelsWorkload(home);
  }

  @Override
  public Optional<Workload> nodeGate(Path home) {
    return Optional.of(new NodeGateJob(home));
  }

  @Override
  public List<SettingProblem> check(SweepSettings settings) {
    return KernelChecks.of(settings);
  }

  @Override
  public String plan() {
    return "kernels";
  }

  @Override
  public String playbook() {
    return "kernels";
  }

  @Override
  public void hearSteps(JobLog log) {
    log.listener(TrialProgress.class, () -> new TrialProgress(log.steps()));
  }

  @Override
  public Optional<Metric> metric(Map<String, String> settings) {
    return Optional.of(
        switch (settings.getOrDefault("kernel", "")) {
          case "gemm", "ep-pipeline", "tp-layer" ->
              new Metric("flopsPerSecond", "flop/s", Metric.Better.HIGHER);
          // Routing determines the copies of tokens, so no link's share of them is known.
          case "ep" -> new Metric("algbwBytesPerSecond", "B/s", Metric.Better.HIGHER);
          default -> new Metric("busbwBytesPerSecond", "B/s", Metric.Better.HIGHER);
        });
  }
}
