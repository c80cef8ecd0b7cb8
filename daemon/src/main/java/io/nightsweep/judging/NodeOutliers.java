package io.nightsweep.judging;

import io.nightsweep.measure.Median;
import io.nightsweep.sweep.NodeFault;
import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds nodes that are far slower than the others of their check, or than in earlier checks.
 *
 * <p>With three nodes or more, each is compared with the median of all, which one slow node does
 * not move. With two nodes, a difference does not show which of them is abnormal: each is compared
 * with its own earlier checks; without these, the slower one is reported as the slower of two. A
 * single node is compared with its earlier checks.
 */
public final class NodeOutliers {
  private static final int FEWEST_FOR_A_MEDIAN = 3;

  private NodeOutliers() {}

  /**
   * @param earlier figures of the same nodes from all earlier checks
   * @param limit the share by which a node may be slower
   */
  public static List<NodeFault.Slow> of(
      List<NodeFigures> nodes, List<NodeFigures> earlier, double limit) {
    List<NodeFault.Slow> outliers = new ArrayList<>();
    for (NodeMetric metric : NodeMetric.values()) {
      for (NodeFigures node : nodes) {
        outlier(metric, node, nodes, earlier, limit).ifPresent(outliers::add);
      }
    }
    return List.copyOf(outliers);
  }

  private static Optional<NodeFault.Slow> outlier(
      NodeMetric metric,
      NodeFigures node,
      List<NodeFigures> nodes,
      List<NodeFigures> earlier,
      double limit) {
    double[] all = values(nodes.stream(), metric);
    double[] own = values(earlier.stream().filter(e -> e.node().equals(node.node())), metric);
    Double value = node.figures().get(metric);
    if (value == null) {
      return all.length == 0
          ? Optional.empty()
          : Optional.of(
              new NodeFault.Slow(
                  node.node(),
                  metric,
                  OptionalDouble.empty(),
                  Median.of(all),
                  NodeFault.Against.OTHER_NODES));
    }
    if (all.length >= FEWEST_FOR_A_MEDIAN && value < (1 - limit) * Median.of(all)) {
      return outlier(node, metric, value, Median.of(all), NodeFault.Against.OTHER_NODES);
    }
    if (own.length > 0) {
      return value < (1 - limit) * Median.of(own)
          ? outlier(node, metric, value, Median.of(own), NodeFault.Against.EARLIER_CHECKS)
          : Optional.empty();
    }
    double best = Arrays.stream(all).max().orElse(value);
    return all.length < FEWEST_FOR_A_MEDIAN && value < (1 - limit) * best
        ? outlier(node, metric, value, best, NodeFault.Against.THE_OTHER_NODE)
        : Optional.empty();
  }

  private static Optional<NodeFault.Slow> outlier(
      NodeFigures node,
      NodeMetric metric,
      double value,
      double expected,
      NodeFault.Against against) {
    return Optional.of(
        new NodeFault.Slow(node.node(), metric, OptionalDouble.of(value), expected, against));
  }

  private static double[] values(Stream<NodeFigures> nodes, NodeMetric metric) {
    return nodes
        .flatMap(n -> Stream.ofNullable(n.figures().get(metric)))
        .mapToDouble(v -> v)
        .toArray();
  }

  /** The medians of each node's figures over several checks. */
  public static List<NodeFigures> medians(List<NodeFigures> checks) {
    return checks.stream()
        .map(NodeFigures::node)
        .distinct()
        .map(
            node -> {
              TreeMap<NodeMetric, Double> medians = new TreeMap<>();
              for (NodeMetric metric : NodeMetric.values()) {
                double[] own = values(checks.stream().filter(c -> c.node().equals(node)), metric);
                if (own.length > 0) {
                  medians.put(metric, Median.of(own));
                }
              }
              return new NodeFigures(node, medians);
            })
        .toList();
  }
}
