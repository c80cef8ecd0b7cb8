package io.nightsweep.workload;

import io.nightsweep.sweep.Statement;

/** The workload or the build cannot run this trial. */
public final class UnsupportedTrialException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Statement why;

  public UnsupportedTrialException(Statement why) {
    super(why.toString());
    this.why = why;
  }

  public Statement why() {
    return why;
  }
}
