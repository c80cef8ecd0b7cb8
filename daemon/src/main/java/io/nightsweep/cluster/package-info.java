/**
 * Where jobs run: the port to Slurm and to the processes of this machine. Knows nothing of models
 * or flags.
 */
@NullMarked
package io.nightsweep.cluster;

import org.jspecify.annotations.NullMarked;
