package io.nightsweep.sweep;

import java.util.OptionalDouble;

/**
 * What a night's jobs can detect at the noise of the cell.
 *
 * @param noise of one run, used for planning, as a fraction
 * @param profiles that are compared with the baseline
 * @param jobs that the budget allows, as far as known
 * @param smallest gain that is found and confirmed in four of five nights, as a fraction; empty if
 *     there are too few jobs for one run of each profile and a confirmation
 */
public record DetectableGain(double noise, int profiles, int jobs, OptionalDouble smallest) {

  /** Whether a gain of this size would be missed in more than one of five nights. */
  public boolean isBlindTo(double gain) {
    return smallest.isEmpty() || smallest.getAsDouble() > gain;
  }
}
