package io.nightsweep.asked;

/** A call does nothing; the message says why, and what to do instead. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
