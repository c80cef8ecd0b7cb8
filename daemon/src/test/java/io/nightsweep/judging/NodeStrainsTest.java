package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.NodeStrain.Kind;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes a job's own figures identify, as a table: a figure of n1, n2, ... in order. */
@Tag("hours")
class NodeStrainsTest {
  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          THROTTLED       | 0 0.48        | n2
          THROTTLED       | 0.3 0.4       | -
          THROTTLED       | 0.04 0        | -
          THROTTLED       | 0.48          | n1
          STOLEN          | 0.2 0.01 0.02 | n1
          LOADED          | 1 1.1 9       | n3
          LOADED          | 9 9.5 10      | -
          OVERHEATED      | 0 0 12        | n3
          SHORT_OF_MEMORY | 0.5 0.01      | n2
          SHORT_OF_MEMORY | 0.01 0.012    | -
          LINK_ERRORS     | 3 0           | n1
          RETRANSMITS     | 40 0          | -
          RETRANSMITS     | 5000 3        | n1
          GPU_CLOCK       | 2100 1200     | n2
          GPU_CLOCK       | 1200          | -
          GPU_HEAT        | 70 99         | n2
          """)
  void names(Kind kind, String values, String expected) {
    TreeMap<String, Map<Kind, Double>> figures = new TreeMap<>();
    String[] each = values.split(" ", -1);
    for (int i = 0; i < each.length; i++) {
      figures.put("n" + (i + 1), Map.of(kind, Double.valueOf(each[i])));
    }
    String named =
        NodeStrains.of(figures).stream().map(s -> s.node()).collect(Collectors.joining(", "));
    assertThat(named.isEmpty() ? "-" : named).isEqualTo(expected);
  }
}
