package io.nightsweep.workload.command;

import io.nightsweep.sweep.Metric;
import io.nightsweep.workload.SettingProblem;
import io.nightsweep.workload.SweepSettings;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.WorkloadKind;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Any command of the user's, described only in the sweep file. */
public final class AnyCommand implements WorkloadKind {
  @Override
  public String name() {
    return "command";
  }

  @Override
  public String about() {
    return "a program of your own";
  }

  @Override
  public Workload open(Path home) {
    return new CommandWorkload();
  }

  @Override
  public List<SettingProblem> check(SweepSettings settings) {
    return CommandChecks.of(settings);
  }

  @Override
  public Optional<String> validation() {
    return Optional.of("{steps: 200, DATA: real}");
  }

  @Override
  public String plan() {
    return "kernels";
  }

  @Override
  public String playbook() {
    return "common";
  }

  @Override
  public Optional<Metric> metric(Map<String, String> settings) {
    return Optional.empty();
  }

  @Override
  public Set<String> mentioned(Map<String, String> settings) {
    return CommandSettings.of(settings, 1).mentioned();
  }

  @Override
  public boolean takesAnyAxis() {
    return true;
  }
}
