/** A simulated cluster and a virtual clock for the real engine, used by tests and rehearsals. */
@NullMarked
package io.nightsweep.sim;

import org.jspecify.annotations.NullMarked;
