package io.nightsweep.sweep;

import java.time.Instant;

/**
 * An event with its place in the journal.
 *
 * @param seq counted from 1 without gaps
 * @param at when the daemon recorded it
 */
public record Entry(long seq, Instant at, Event event) {}
