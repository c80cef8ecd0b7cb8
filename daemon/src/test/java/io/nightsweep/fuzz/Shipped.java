package io.nightsweep.fuzz;

import io.nightsweep.plan.InvalidInputException;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.triage.LogTriage;
import io.nightsweep.workload.Workloads;
import java.nio.file.Path;

/** The packed playbook with the most patterns. */
public final class Shipped {
  private static final LogTriage TRIAGE = open();

  private Shipped() {}

  public static LogTriage triage() {
    return TRIAGE;
  }

  private static LogTriage open() {
    try {
      return new LogTriage(
          new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")))
              .read("maxtext-rocm")
              .recognition(),
          Workloads::hearSteps);
    } catch (InvalidInputException e) {
      throw new IllegalStateException(e);
    }
  }
}
