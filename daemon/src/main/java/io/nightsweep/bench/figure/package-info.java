/** Draws figures of measured points as PNG; independent of jobs. */
@NullMarked
package io.nightsweep.bench.figure;

import org.jspecify.annotations.NullMarked;
