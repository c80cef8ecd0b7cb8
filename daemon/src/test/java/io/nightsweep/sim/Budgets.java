package io.nightsweep.sim;

import io.nightsweep.sweep.Budget;
import java.time.Duration;
import java.util.Optional;

/** Budgets of jobs, of time, or of both. */
public final class Budgets {
  private Budgets() {}

  public static Budget ofJobs(int jobs) {
    return new Budget(Optional.of(jobs), Optional.empty(), Optional.empty(), Optional.empty());
  }

  public static Budget ofTime(Duration time) {
    return new Budget(Optional.empty(), Optional.of(time), Optional.empty(), Optional.empty());
  }

  public static Budget of(int jobs, Duration time) {
    return new Budget(Optional.of(jobs), Optional.of(time), Optional.empty(), Optional.empty());
  }
}
