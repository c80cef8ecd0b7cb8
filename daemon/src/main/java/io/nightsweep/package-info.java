/** Nightsweep: tunes one (model x parallelism) cell on a Slurm cluster, unattended. */
package io.nightsweep;
