package io.nightsweep.sweep;

/** What a check of the nodes measures on each of them; more is better. */
public enum NodeMetric {
  /** A matrix product on all processors of the node, in operations a second. */
  GEMM_FLOPS,
  /** Memory to memory by one processor, in bytes a second. */
  COPY_BYTES,
  /** An allreduce with a neighbour, in bytes a second: the better of the two neighbours. */
  PAIR_BYTES,
  /** An allreduce of all nodes, in bytes a second: one figure, the same for each of them. */
  RING_BYTES
}
