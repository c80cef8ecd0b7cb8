/** MaxText on Slurm through its own launcher: what to submit, and how to read what came of it. */
@NullMarked
package io.nightsweep.workload.maxtext;

import org.jspecify.annotations.NullMarked;
