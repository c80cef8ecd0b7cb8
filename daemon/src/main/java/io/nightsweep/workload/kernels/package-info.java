/** The native kernels: runs {@code nightsweep-kernels} in a job. */
@NullMarked
package io.nightsweep.workload.kernels;

import org.jspecify.annotations.NullMarked;
