package io.nightsweep.sweep;

/** What a node check measures on each node; larger is better. */
public enum NodeMetric {
  /** A matrix product on all processors of the node, in operations per second. */
  GEMM_FLOPS,
  /** Memory to memory on one processor, in bytes per second. */
  COPY_BYTES,
  /** An allreduce with a neighbour, in bytes per second; the better of the two neighbours. */
  PAIR_BYTES,
  /** An allreduce over all nodes, in bytes per second; one figure, the same for every node. */
  RING_BYTES
}
