/** Which candidates next: rules over catalogs, findings and what was measured so far. Pure. */
@NullMarked
package io.nightsweep.advisor;

import org.jspecify.annotations.NullMarked;
