package io.nightsweep.sweep;

import java.util.OptionalDouble;

/** What a check of the nodes found wrong with one of them. */
public sealed interface NodeFault {
  String node();

  /**
   * The node is far slower than was to be expected.
   *
   * @param value absent where the node gave no figure in time, and another one did
   * @param expected in the metric's unit
   */
  record Slow(
      String node, NodeMetric metric, OptionalDouble value, double expected, Against against)
      implements NodeFault {
    /** The share by which the node is slower, from 0 to 1. */
    public double loss() {
      return 1 - value.orElse(0) / expected;
    }
  }

  /** What a node was found slow against. */
  enum Against {
    OTHER_NODES,
    EARLIER_CHECKS,
    /** The slower of two nodes; no earlier check tells which of them is as it should be. */
    THE_OTHER_NODE
  }

  /** Something slowed the node down while it was checked. */
  record Strained(NodeStrain strain) implements NodeFault {
    @Override
    public String node() {
      return strain.node();
    }
  }
}
