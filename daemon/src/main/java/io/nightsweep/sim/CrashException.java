package io.nightsweep.sim;

/** The simulated daemon dies here. */
final class CrashException extends RuntimeException {
  private static final long serialVersionUID = 1L;
}
