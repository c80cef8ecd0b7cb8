package io.nightsweep.agent;

/** A call does nothing; the message says why, and what to do instead. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
