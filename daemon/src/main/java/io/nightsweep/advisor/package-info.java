/** Proposes the next candidates, by rules over catalogs, findings and measurements so far. Pure. */
@NullMarked
package io.nightsweep.advisor;

import org.jspecify.annotations.NullMarked;
