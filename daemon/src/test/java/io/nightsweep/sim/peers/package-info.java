/** Other ways to find the best profile, on the surfaces that the engine is simulated on. */
@NullMarked
package io.nightsweep.sim.peers;

import org.jspecify.annotations.NullMarked;
