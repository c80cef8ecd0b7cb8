package io.nightsweep.sweep;

import java.time.Instant;

/**
 * An event in its place.
 *
 * @param seq counted from 1 without gaps
 * @param at when the daemon recorded it
 */
public record Entry(long seq, Instant at, Event event) {}
