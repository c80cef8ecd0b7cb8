/** Other ways to find the best profile, on the same surfaces as the simulated engine. */
@NullMarked
package io.nightsweep.sim.peers;

import org.jspecify.annotations.NullMarked;
