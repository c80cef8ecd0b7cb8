/**
 * Where jobs run: the port to Slurm and to the processes of this machine. Independent of models and
 * flags.
 */
@NullMarked
package io.nightsweep.cluster;

import org.jspecify.annotations.NullMarked;
