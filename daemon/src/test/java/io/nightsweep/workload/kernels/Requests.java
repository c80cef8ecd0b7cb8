package io.nightsweep.workload.kernels;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Cell;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workload;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Requests of the first job of the baseline, in a sweep of an allreduce. */
final class Requests {
  private Requests() {}

  static Workload.LaunchRequest of(
      Trial.Purpose purpose,
      int ranks,
      List<String> nodes,
      Map<String, String> settings,
      Metric metric,
      Path place) {
    SweepSpec any = Specs.kernels(1);
    SweepSpec spec =
        new SweepSpec(
            new Cell("allreduce", "ranks=" + ranks, nodes, Optional.empty()),
            "kernels",
            new TreeMap<>(settings),
            metric,
            any.configTags(),
            any.profiles(),
            any.plan(),
            any.budget(),
            any.policy(),
            any.playbook(),
            any.catalogs());
    TrialId id = new TrialId(1);
    return new Workload.LaunchRequest(
        spec,
        new Trial(id, "w", 1, purpose, Profile.BASELINE, spec.primaryTag().name(), 1),
        Profile.baseline(),
        spec.primaryTag(),
        new AttemptId(id, 1),
        "job",
        place);
  }
}
