/** A simulated cluster and a virtual clock that drive the same engine: tests and rehearsal. */
@NullMarked
package io.nightsweep.sim;

import org.jspecify.annotations.NullMarked;
