/**
 * From step series to verdicts: steady-state windows, noise, drift, intervals, racing. Pure
 * functions of their arguments; effects are natural logarithms of ratios of metrics of which
 * greater is better.
 */
@NullMarked
package io.nightsweep.measure;

import org.jspecify.annotations.NullMarked;
