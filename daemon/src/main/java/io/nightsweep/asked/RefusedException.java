package io.nightsweep.asked;

/** A request has no effect; the message says why, and what to do instead. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
