/**
 * What a profiled job shows: streaming readers for HLO dumps, xplane files and traces, and separate
 * pure rules that turn readings into findings. A damaged file gives a result ({@link
 * io.nightsweep.evidence.Outcome.Unreadable}), never an exception.
 */
@NullMarked
package io.nightsweep.evidence;

import org.jspecify.annotations.NullMarked;
