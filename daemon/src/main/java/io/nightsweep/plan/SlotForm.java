package io.nightsweep.plan;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.Cluster.Node;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.Hostlist;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The slot as written: node names, or a number of nodes and a partition.
 *
 * @param nodelist names with their places, expanded and in the order written
 */
record SlotForm(
    Place place,
    List<Named> nodelist,
    Optional<Yaml.Scalar> partition,
    Optional<Yaml.Scalar> nodes) {
  /** How a cluster marks its default partition. */
  private static final String DEFAULT_MARK = "*";

  record Named(String name, Place place) {}

  static SlotForm read(Yaml.Mapping sweep, Problems problems) {
    Yaml.Mapping slot = sweep.mapping("slot");
    Place place = sweep.placeOf("slot");
    List<Named> nodelist = new ArrayList<>();
    for (Yaml.Scalar part : slot.scalars("nodelist")) {
      nodelist.addAll(names(part, problems));
    }
    LinkedHashSet<String> seen = new LinkedHashSet<>();
    for (Named node : nodelist) {
      if (!seen.add(node.name())) {
        problems.add(
            node.place(), "the node '" + node.name() + "' stands twice", "expected each node once");
      }
    }
    boolean listed = slot.get("nodelist").isPresent();
    if (listed && slot.get("nodes").isPresent()) {
      problems.add(slot.placeOf("nodes"), "both 'nodelist' and 'nodes'", "expected one of the two");
    } else if (listed
        && slot.get("nodelist").get() instanceof Yaml.Sequence s
        && s.items().isEmpty()) {
      problems.add(s.place(), "the nodelist is empty", "expected a nodelist such as 'n[1-2]'");
    } else if (!listed && slot.get("nodes").isEmpty()) {
      problems.add(
          place, "the slot names no nodes", "expected 'nodelist', or 'nodes' and a 'partition'");
    }
    return new SlotForm(place, nodelist, slot.scalar("partition"), slot.scalar("nodes"));
  }

  private static List<Named> names(Yaml.Scalar part, Problems problems) {
    try {
      return Hostlist.parse(part.text()).stream().map(n -> new Named(n, part.place())).toList();
    } catch (Hostlist.SyntaxException e) {
      problems.add(
          part.at(e.index()),
          "the nodelist '" + part.text() + "' does not parse: " + e.getMessage(),
          "expected a nodelist such as 'n[1-3,5]'");
      return List.of();
    }
  }

  /** The nodes, checked against the cluster; if only a number is given, idle ones are chosen. */
  List<String> resolve(Cluster cluster, Problems problems)
      throws ClusterUnreachableException, InterruptedException {
    List<Node> all = cluster.nodes(List.of());
    LinkedHashSet<String> partitions = new LinkedHashSet<>();
    all.forEach(n -> n.partitions().forEach(p -> partitions.add(unmarked(p))));
    if (partition.isPresent() && !partitions.contains(partition.get().text())) {
      problems.add(
          Problem.unknown(
              partition.get().place(), "partition", partition.get().text(), partitions));
      return List.of();
    }
    return nodelist.isEmpty() ? chosen(all, problems) : listed(all, problems);
  }

  /** The named nodes, or the given number of nodes under invented names. */
  List<String> onPaper() {
    return nodelist.isEmpty()
        ? IntStream.rangeClosed(1, nodes.flatMap(Values::integer).orElse(1))
            .mapToObj(i -> "node" + i)
            .toList()
        : nodelist.stream().map(Named::name).toList();
  }

  private List<String> listed(List<Node> all, Problems problems) {
    Collection<String> known = all.stream().map(Node::name).toList();
    for (Named node : nodelist) {
      Optional<Node> found = all.stream().filter(n -> n.name().equals(node.name())).findFirst();
      if (found.isEmpty()) {
        problems.add(Problem.unknown(node.place(), "node", node.name(), known));
      } else if (partition.isPresent() && !isIn(found.get(), partition.get().text())) {
        problems.add(
            node.place(),
            "the node '" + node.name() + "' is not in the partition " + partition.get().text(),
            "it is in " + String.join(", ", found.get().partitions()));
      }
    }
    return nodelist.stream().map(Named::name).toList();
  }

  private List<String> chosen(List<Node> all, Problems problems) {
    int wanted = nodes.flatMap(Values::integer).orElse(0);
    List<Node> pool = all.stream().filter(n -> isEligible(n, all)).toList();
    List<String> idle =
        pool.stream()
            .filter(n -> n.availability() == Node.Availability.IDLE)
            .map(Node::name)
            .toList();
    if (idle.size() < wanted || wanted < 1) {
      problems.add(
          nodes.map(Yaml.Scalar::place).orElse(place),
          "only "
              + idle.size()
              + " of "
              + pool.size()
              + " nodes are idle"
              + partition.map(p -> " in the partition " + p.text()).orElse(""),
          wanted + " are asked for; wait for them, ask for fewer, or name a nodelist");
      return List.of();
    }
    return List.copyOf(idle.subList(0, wanted));
  }

  private boolean isEligible(Node node, List<Node> all) {
    if (partition.isPresent()) {
      return isIn(node, partition.get().text());
    }
    boolean marked =
        all.stream().anyMatch(n -> n.partitions().stream().anyMatch(SlotForm::isDefault));
    return !marked || node.partitions().stream().anyMatch(SlotForm::isDefault);
  }

  private static boolean isIn(Node node, String partition) {
    return node.partitions().stream().map(SlotForm::unmarked).anyMatch(partition::equals);
  }

  private static boolean isDefault(String partition) {
    return partition.endsWith(DEFAULT_MARK);
  }

  static String unmarked(String partition) {
    return isDefault(partition) ? partition.substring(0, partition.length() - 1) : partition;
  }
}
