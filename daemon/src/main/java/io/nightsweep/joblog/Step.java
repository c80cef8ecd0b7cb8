package io.nightsweep.joblog;

/**
 * A completed step that a job reports.
 *
 * @param index from 0, as the job counts
 * @param seconds duration; NaN if the job does not report it
 */
public record Step(int index, double seconds) {}
