/**
 * The programs being tuned: creates submissions and reads metrics from their output. Independent of
 * Slurm's commands.
 */
@NullMarked
package io.nightsweep.workload;

import org.jspecify.annotations.NullMarked;
