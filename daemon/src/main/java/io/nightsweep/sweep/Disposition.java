package io.nightsweep.sweep;

/** How a trial ended; every planned trial gets exactly one. */
public sealed interface Disposition {
  /** One attempt of the trial counts. */
  record Measured(AttemptId attempt) implements Disposition {}

  record Failed(String failureClass, Statement detail) implements Disposition {}

  /** The trial did not run to an end: it was raced out, skipped, or beyond the budget. */
  record Dropped(Cause why) implements Disposition {}

  /** The workload or the build cannot run it. */
  record Unsupported(Statement reason) implements Disposition {}
}
