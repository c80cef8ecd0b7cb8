package io.nightsweep.workload;

/** The workload or the build cannot run this trial; the message says why. */
public final class UnsupportedTrialException extends Exception {
  private static final long serialVersionUID = 1L;

  public UnsupportedTrialException(String message) {
    super(message);
  }
}
