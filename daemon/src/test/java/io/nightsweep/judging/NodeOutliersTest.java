package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.NodeFigures;
import io.nightsweep.sweep.NodeMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which nodes a check names, as a table: the figures of n1, n2, ... in order, at a limit of 30 %.
 */
@Tag("hours")
class NodeOutliersTest {
  @ParameterizedTest(name = "{0}, before {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          100 101 99 98  | -           | -
          100 101 75 98  | -           | -
          100 101 25 98  | -           | n3 75 OTHER_NODES
          100 30 25 98   | -           | n2 53 OTHER_NODES, n3 61 OTHER_NODES
          100 101 - 98   | -           | n3 100 OTHER_NODES
          - - -          | 100 100 100 | -
          50 51 49       | 100 100 100 | n1 50 EARLIER_CHECKS, n2 49 EARLIER_CHECKS, n3 51 EARLIER_CHECKS
          100 25         | -           | n2 75 THE_OTHER_NODE
          100 90         | -           | -
          100 25         | 100 100     | n2 75 EARLIER_CHECKS
          100 25         | 101 26      | -
          100 25         | 25 -        | n2 75 THE_OTHER_NODE
          100            | -           | -
          60             | 100         | n1 40 EARLIER_CHECKS
          """)
  void names(String now, String before, String expected) {
    String named =
        NodeOutliers.of(nodes(now), nodes(before), 0.3).stream()
            .map(
                o ->
                    String.format(Locale.ROOT, "%s %.0f %s", o.node(), 100 * o.loss(), o.against()))
            .collect(Collectors.joining(", "));
    assertThat(named.isEmpty() ? "-" : named).isEqualTo(expected);
  }

  /** One bad night does not make the next night's figures look good. */
  @Test
  void earlierChecksCountByTheirMedian() {
    List<NodeFigures> checks = new ArrayList<>(nodes("100"));
    checks.addAll(nodes("20"));
    checks.addAll(nodes("104"));
    assertThat(NodeOutliers.medians(checks)).isEqualTo(nodes("100"));
    assertThat(NodeOutliers.of(nodes("60"), checks, 0.3)).hasSize(1);
  }

  private static List<NodeFigures> nodes(String values) {
    List<NodeFigures> nodes = new ArrayList<>();
    String[] each = values.split(" ", -1);
    for (int i = 0; i < each.length; i++) {
      TreeMap<NodeMetric, Double> figures = new TreeMap<>();
      if (!each[i].equals("-")) {
        figures.put(NodeMetric.GEMM_FLOPS, Double.valueOf(each[i]));
      }
      nodes.add(new NodeFigures("n" + (i + 1), figures));
    }
    return nodes;
  }
}
