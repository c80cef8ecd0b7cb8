/** MaxText on Slurm through its own launcher: creates submissions and reads their output. */
@NullMarked
package io.nightsweep.workload.maxtext;

import org.jspecify.annotations.NullMarked;
