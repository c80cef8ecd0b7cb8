package io.nightsweep.joblog;

/**
 * A step of its work that a job says is done.
 *
 * @param index from 0, as the job counts
 * @param seconds how long it took; NaN where the job does not say
 */
public record Step(int index, double seconds) {}
