package io.nightsweep.measure;

/**
 * A profile's effect according to all its runs, drift removed.
 *
 * @param logGain log-ratio to the baseline
 * @param standardError of {@code logGain}; NaN while the noise is unknown
 * @param variancePerRunVariance its variance in units of one run's variance: 2 for one run against
 *     one control
 * @param runs number of the profile's runs in the estimate
 */
public record Estimate(
    double logGain, double standardError, double variancePerRunVariance, int runs) {}
