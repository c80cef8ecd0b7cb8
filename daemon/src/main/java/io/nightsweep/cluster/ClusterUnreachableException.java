package io.nightsweep.cluster;

/** The cluster did not answer, so nothing is known about any job. */
public final class ClusterUnreachableException extends Exception {
  private static final long serialVersionUID = 1L;

  public ClusterUnreachableException(String message) {
    super(message);
  }

  public ClusterUnreachableException(String message, Throwable cause) {
    super(message, cause);
  }
}
