/**
 * Studies of the native kernels: cases from parameter axes, measured in jobs shard by shard,
 * compared with the plan, and published as a bundle of rows, a summary and figures.
 */
@NullMarked
package io.nightsweep.bench;

import org.jspecify.annotations.NullMarked;
