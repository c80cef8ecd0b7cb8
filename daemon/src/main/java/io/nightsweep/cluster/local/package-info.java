/** The local cluster: jobs are processes of this machine, with a queue for each virtual node. */
@NullMarked
package io.nightsweep.cluster.local;

import org.jspecify.annotations.NullMarked;
