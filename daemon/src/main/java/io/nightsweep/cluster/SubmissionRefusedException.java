package io.nightsweep.cluster;

/** The cluster answered and queued nothing; the message is the cluster's own. */
public final class SubmissionRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public SubmissionRefusedException(String message) {
    super(message);
  }
}
