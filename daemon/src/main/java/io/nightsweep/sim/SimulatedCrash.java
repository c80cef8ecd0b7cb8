package io.nightsweep.sim;

/** The simulated daemon dies here. An error, so that no code in the daemon handles it. */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;
}
