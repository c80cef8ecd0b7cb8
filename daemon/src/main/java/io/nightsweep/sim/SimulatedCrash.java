package io.nightsweep.sim;

/** The simulated daemon dies here. An error, since nothing in a daemon survives its own death. */
final class SimulatedCrash extends Error {
  private static final long serialVersionUID = 1L;
}
