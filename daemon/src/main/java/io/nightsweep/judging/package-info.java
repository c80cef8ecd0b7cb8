/** Turns observations of the cluster and of jobs' files into events, by rules. */
@NullMarked
package io.nightsweep.judging;

import org.jspecify.annotations.NullMarked;
