/** Slurm through its own commands. */
@NullMarked
package io.nightsweep.cluster.slurm;

import org.jspecify.annotations.NullMarked;
