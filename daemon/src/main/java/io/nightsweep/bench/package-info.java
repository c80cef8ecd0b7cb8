/**
 * Studies of the native kernels: cases by their axes, measured in jobs shard by shard, held against
 * what was planned, and published as a bundle of rows, a summary and figures.
 */
@NullMarked
package io.nightsweep.bench;

import org.jspecify.annotations.NullMarked;
