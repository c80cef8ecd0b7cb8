package io.nightsweep.judging;

import io.nightsweep.measure.Median;
import io.nightsweep.sweep.NodeStrain;
import io.nightsweep.sweep.NodeStrain.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Finds nodes that something slowed down while a job ran: a figure is beyond what a sound node
 * shows, and far from those of the job's other nodes. A figure that all nodes share, such as a
 * limit on every job, is not a strain.
 */
public final class NodeStrains {
  private static final double TWICE = 2;

  /** Clock ratio below which a GPU is slow: sound GPUs under equal load differ by a few percent. */
  private static final double SLOW_CLOCK = 0.8;

  private NodeStrains() {}

  /**
   * @param figures by node, for the nodes that reported any
   */
  public static List<NodeStrain> of(SortedMap<String, Map<Kind, Double>> figures) {
    List<NodeStrain> strains = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      figures.forEach(
          (node, own) -> {
            Double value = own.get(kind);
            if (value != null) {
              strain(kind, node, value, elsewhere(figures, kind, node)).ifPresent(strains::add);
            }
          });
    }
    return List.copyOf(strains);
  }

  private static Optional<NodeStrain> strain(
      Kind kind, String node, double value, double[] elsewhere) {
    double usual = elsewhere.length == 0 ? 0 : Median.of(elsewhere);
    return isBeyond(kind, value, usual, elsewhere.length > 0)
        ? Optional.of(new NodeStrain(node, kind, value, usual))
        : Optional.empty();
  }

  private static boolean isBeyond(Kind kind, double value, double usual, boolean compared) {
    return switch (kind) {
      case THROTTLED, STOLEN -> isAbove(0.05, value, usual);
      case LOADED -> isAbove(2, value, usual);
      case OVERHEATED, LINK_ERRORS -> isAbove(1, value, usual);
      case RETRANSMITS -> isAbove(100, value, usual);
      case GPU_HEAT -> value >= 95;
      case SHORT_OF_MEMORY -> value < 0.02 && (!compared || value < usual / TWICE);
      case GPU_CLOCK -> compared && value < SLOW_CLOCK * usual;
    };
  }

  private static boolean isAbove(double floor, double value, double usual) {
    return value >= floor && value >= TWICE * usual;
  }

  private static double[] elsewhere(
      SortedMap<String, Map<Kind, Double>> figures, Kind kind, String node) {
    return figures.entrySet().stream()
        .filter(e -> !e.getKey().equals(node) && e.getValue().containsKey(kind))
        .mapToDouble(e -> e.getValue().getOrDefault(kind, 0.0))
        .sorted()
        .toArray();
  }
}
