package io.nightsweep.sweep;

import java.util.OptionalDouble;

/**
 * What a night's jobs can find at the noise of its cell.
 *
 * @param noise of one run, to plan with, as a fraction
 * @param profiles that are compared with the baseline
 * @param jobs that the budget carries, as far as is known
 * @param smallest gain that is found and confirmed in four of five nights, as a fraction; empty
 *     where the jobs do not carry one run of each profile and a confirmation
 */
public record DetectableGain(double noise, int profiles, int jobs, OptionalDouble smallest) {

  /** Whether a gain of this size would be missed more often than once in five nights. */
  public boolean isBlindTo(double gain) {
    return smallest.isEmpty() || smallest.getAsDouble() > gain;
  }
}
