package io.nightsweep.plan;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.Hostlist;
import io.nightsweep.files.Masking;
import io.nightsweep.workload.StartingValues;
import io.nightsweep.workload.Workloads;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The commented starting {@code sweep.yaml}, written for the cluster at hand. */
public final class InitFile {
  private static final int NODES_SHOWN = 24;
  private static final int NODES_PROPOSED = 2;

  private InitFile() {}

  /** The kinds of workload that a starting file can be written for. */
  public static Collection<String> workloads() {
    return Workloads.names().stream()
        .filter(kind -> Resources.packed(path(kind)).isPresent())
        .toList();
  }

  /**
   * A sweep file that is valid without changes.
   *
   * @param workload one of {@link #workloads}
   * @param values suggested by the workload's own files
   */
  public static String text(Cluster cluster, String workload, StartingValues values)
      throws ClusterUnreachableException, InterruptedException {
    return text(cluster, workload, values, NODES_PROPOSED);
  }

  /**
   * The same with another limit on nodes.
   *
   * @param most idle nodes that it proposes
   */
  public static String text(Cluster cluster, String workload, StartingValues values, int most)
      throws ClusterUnreachableException, InterruptedException {
    List<Node> nodes = cluster.nodes(List.of()).stream().filter(n -> isPlain(n.name())).toList();
    List<Node> proposed =
        nodes.stream().filter(n -> n.availability() == Node.Availability.IDLE).limit(most).toList();
    int count = Math.max(1, proposed.isEmpty() ? most : proposed.size());
    String slot =
        proposed.isEmpty()
            ? "{nodes: " + count + "}  # no node is idle now"
            : "{nodelist: \"" + Hostlist.format(proposed.stream().map(Node::name).toList()) + "\"}";
    String template =
        Resources.packed(path(workload))
            .orElseThrow(() -> new IllegalArgumentException("no starting file for " + workload))
            .replace("{{cluster}}", comment(cluster.describe()))
            .replace("{{nodes}}", table(nodes))
            .replace("{{ranks}}", Integer.toString(count))
            .replace("{{slot}}", slot);
    for (Map.Entry<String, String> value : values.values().entrySet()) {
      template = template.replace("{{" + value.getKey() + "}}", value.getValue());
    }
    return template;
  }

  private static String path(String workload) {
    return "templates/sweep." + workload + ".yaml";
  }

  private static String table(List<Node> nodes) {
    TreeSet<String> partitions = new TreeSet<>();
    nodes.forEach(n -> n.partitions().forEach(p -> partitions.add(comment(p))));
    String head =
        partitions.isEmpty()
            ? "#   no partitions"
            : "#   partitions: " + String.join(", ", partitions) + " (* is the default)";
    String rows =
        nodes.stream()
            .limit(NODES_SHOWN)
            .map(
                n ->
                    String.format(
                        Locale.ROOT,
                        "\n#   %-16s %-10s %s",
                        n.name(),
                        comment(n.state()),
                        comment(n.why())))
            .map(String::stripTrailing)
            .collect(Collectors.joining());
    int more = nodes.size() - NODES_SHOWN;
    return head + rows + (more > 0 ? "\n#   and " + more + " more" : "");
  }

  private static boolean isPlain(String node) {
    return node.matches("[A-Za-z0-9._-]{1,64}");
  }

  /** Makes a cluster's text safe for a comment of one line. */
  private static String comment(String text) {
    String line = Masking.of(text).replaceAll("[^\\x20-\\x7e]+", " ").replace("{{", "{ {").strip();
    return line.length() > 100 ? line.substring(0, 97) + "..." : line;
  }
}
