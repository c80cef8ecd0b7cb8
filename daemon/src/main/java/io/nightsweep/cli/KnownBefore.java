package io.nightsweep.cli;

import io.nightsweep.engine.StateDirectory;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.workload.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What earlier sweeps' probe jobs found about a sweep that is about to start. */
final class KnownBefore {
  private KnownBefore() {}

  /** The problems that the latest sweep of the same program showed; empty if there was none. */
  static List<Workload.SetupProblem> problems(
      Workload workload, SweepSpec sweep, StateDirectory state) throws IOException {
    for (SweepState earlier : Rehearsing.earlier(state, sweep.cell())) {
      Set<String> known =
          earlier.findings().stream()
              .map(Finding::knownSettings)
              .filter(names -> !names.isEmpty())
              .reduce(Set.of(), (before, after) -> after);
      if (!known.isEmpty()) {
        Optional<List<Workload.SetupProblem>> problems =
            workload.unknownSettings(sweep, earlier.inventory(), known, earlier.sweep());
        if (problems.isPresent()) {
          return problems.get();
        }
      }
    }
    return List.of();
  }
}
