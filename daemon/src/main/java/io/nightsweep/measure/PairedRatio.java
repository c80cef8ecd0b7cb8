package io.nightsweep.measure;

/**
 * One run compared with the baseline of its own time.
 *
 * @param observation the run
 * @param raw log-ratio to the mean of its block's controls; NaN if none of them succeeded
 * @param correction what the other controls, and the drift between them, add to it
 * @param corrected log-ratio to the estimated baseline at the run's start; {@code raw + correction}
 */
public record PairedRatio(
    Observation observation, double raw, double correction, double corrected) {}
