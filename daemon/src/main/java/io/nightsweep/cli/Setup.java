package io.nightsweep.cli;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Problems that make {@code start} refuse or warn before the first job; {@code doctor} reports the
 * same.
 */
final class Setup {
  static final String NO_SLURM =
      "a launcher that calls sbatch needs a Slurm cluster; '--cluster local' is not one";

  private Setup() {}

  static List<Workload.SetupProblem> problems(
      Workload workload, SweepSpec sweep, ClusterChoice choice, StateDirectory state)
      throws IOException, InterruptedException {
    List<Workload.SetupProblem> problems =
        new ArrayList<>(workload.preflight(sweep, choice.submitHost()));
    problems.addAll(KnownBefore.problems(workload, sweep, state));
    if (choice.transport().isEmpty()) {
      problems.addAll(workload.missingPrograms(sweep, choice.kind() == ClusterChoice.Kind.LOCAL));
    }
    if (choice.kind() == ClusterChoice.Kind.LOCAL && workload.needsSlurm()) {
      problems.add(
          new Workload.SetupProblem(
              NO_SLURM,
              "leave '--cluster local' out where there is Slurm, or tune a program that runs"
                  + " without one: nightsweep init --cluster local --workload command",
              true,
              "workload/kind"));
    }
    return problems;
  }
}
