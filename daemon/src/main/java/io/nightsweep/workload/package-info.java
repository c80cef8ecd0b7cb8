/** What runs: renders a submission and reads metrics from its output. Knows no Slurm command. */
@NullMarked
package io.nightsweep.workload;

import org.jspecify.annotations.NullMarked;
