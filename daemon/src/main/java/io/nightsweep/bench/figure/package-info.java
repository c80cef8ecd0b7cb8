/** Figures of measured points, as PNG; they know nothing of jobs. */
@NullMarked
package io.nightsweep.bench.figure;

import org.jspecify.annotations.NullMarked;
