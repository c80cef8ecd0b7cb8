/** The embedded cluster: processes of this machine, a queue per pinned virtual node. */
@NullMarked
package io.nightsweep.cluster.local;

import org.jspecify.annotations.NullMarked;
