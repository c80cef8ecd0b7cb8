/**
 * What a profiled job shows: streaming readers of HLO dumps, xplane files and traces, and apart
 * from them the pure rules that turn readings into findings. A file that is not what it should be
 * is an answer ({@link io.nightsweep.evidence.Outcome.Unreadable}), never an exception.
 */
@NullMarked
package io.nightsweep.evidence;

import org.jspecify.annotations.NullMarked;
