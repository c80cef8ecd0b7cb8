package io.nightsweep.sweep;

import java.util.OptionalDouble;

/** What a check found wrong with a node. */
public sealed interface NodeFault {
  String node();

  /**
   * The node is far slower than expected.
   *
   * @param value absent if the node gave no figure in time and another node did
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

  /** What a slow node was compared with. */
  enum Against {
    OTHER_NODES,
    EARLIER_CHECKS,
    /** The slower of two nodes; no earlier check shows which of them is normal. */
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
