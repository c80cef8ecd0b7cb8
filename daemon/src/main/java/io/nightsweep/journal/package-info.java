/** The durable event log: append-only, checksummed, fsynced, versioned. */
@NullMarked
package io.nightsweep.journal;

import org.jspecify.annotations.NullMarked;
