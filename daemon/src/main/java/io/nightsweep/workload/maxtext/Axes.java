package io.nightsweep.workload.maxtext;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a cell's parallelism overrides in the model's own configuration. DCN axes run between nodes,
 * and their product is the number of nodes; ICI axes run inside a node, and their product is its
 * number of devices. In one axis of each kind MaxText accepts -1 for "the rest".
 *
 * @param overrides in the order of the parallelism's axes; without those that equal the
 *     configuration
 * @param problem why the axes do not fit, where they do not
 */
record Axes(SequencedMap<String, String> overrides, Optional<String> problem) {
  /** The setting for each axis of a cell's parallelism. */
  static final Map<String, String> KEYS =
      Map.of(
          "FSDP", "dcn_fsdp_parallelism",
          "PP", "dcn_pipeline_parallelism",
          "DP", "dcn_data_parallelism",
          "TP", "ici_tensor_parallelism",
          "EP", "ici_expert_parallelism",
          "CP", "ici_context_parallelism");

  private static final String FSDP = "dcn_fsdp_parallelism";
  private static final String PP = "dcn_pipeline_parallelism";

  /** The axis that gets the rest of a node's devices by MaxText's default. */
  static final String REST_OF_NODE = "ici_fsdp_parallelism";

  /**
   * @param parallelism such as {@code PP=4,FSDP=2}
   * @param written the model's configuration, by key
   * @param devices per node, if the sweep says so; otherwise the product of the configuration's ICI
   *     axes
   */
  static Axes of(
      String parallelism, SortedMap<String, String> written, int nodes, OptionalInt devices) {
    TreeMap<String, String> config = new TreeMap<>(written);
    config.putIfAbsent(REST_OF_NODE, "-1");
    LinkedHashMap<String, String> wanted = new LinkedHashMap<>();
    for (String part : parallelism.split(",", -1)) {
      String[] sides = part.strip().split("=", 2);
      String key = KEYS.get(sides[0]);
      if (key == null || sides.length < 2) {
        return failed(
            "MaxText knows no axis '" + sides[0] + "'; there are " + new TreeMap<>(KEYS).keySet());
      }
      wanted.put(key, sides[1]);
    }
    // If only one of the two is given, it distributes the nodes and the other becomes 1.
    if (wanted.containsKey(FSDP) != wanted.containsKey(PP)) {
      wanted.putIfAbsent(wanted.containsKey(FSDP) ? PP : FSDP, "1");
    }
    TreeMap<String, String> effective = new TreeMap<>(config);
    effective.putAll(wanted);
    Optional<String> dcn = misfit("dcn_", effective, nodes, "nodes");
    if (dcn.isPresent()) {
      return failed(dcn.get());
    }
    OptionalInt perNode = devices.isPresent() ? devices : product("ici_", config);
    if (perNode.isPresent()) {
      compensate(wanted, effective, perNode.getAsInt());
      Optional<String> ici = misfit("ici_", effective, perNode.getAsInt(), "devices on a node");
      if (ici.isPresent()) {
        return failed(ici.get());
      }
    }
    wanted.entrySet().removeIf(e -> e.getValue().equals(config.getOrDefault(e.getKey(), "1")));
    return new Axes(wanted, Optional.empty());
  }

  /** Makes room for a larger axis inside the node by shrinking another axis. */
  private static void compensate(
      Map<String, String> wanted, SortedMap<String, String> effective, int devices) {
    TreeMap<String, String> fixed = new TreeMap<>(effective);
    // An open axis can shrink to one device.
    fixed.replaceAll((key, value) -> value.equals("-1") ? "1" : value);
    OptionalInt product = product("ici_", fixed);
    if (product.isEmpty() || product.getAsInt() <= devices || product.getAsInt() % devices != 0) {
      return;
    }
    int excess = product.getAsInt() / devices;
    effective.entrySet().stream()
        .filter(e -> e.getKey().startsWith("ici_") && !wanted.containsKey(e.getKey()))
        .filter(e -> number(e.getValue()) % excess == 0 && number(e.getValue()) >= excess)
        .max(Comparator.comparingInt(e -> number(e.getValue())))
        .ifPresent(
            e -> {
              String less = Integer.toString(number(e.getValue()) / excess);
              wanted.put(e.getKey(), less);
              e.setValue(less);
            });
  }

  /**
   * Why the axes do not fit. Between nodes an open axis must be 1, since the cell's name lists all
   * axes.
   */
  private static Optional<String> misfit(
      String prefix, SortedMap<String, String> effective, int count, String what) {
    TreeMap<String, String> axes = new TreeMap<>(effective.subMap(prefix, prefix + "~"));
    axes.keySet().removeIf(key -> !key.endsWith("_parallelism"));
    boolean open = axes.values().stream().filter("-1"::equals).count() == 1;
    int fixed =
        axes.values().stream()
            .filter(value -> !value.equals("-1"))
            .mapToInt(Axes::number)
            .reduce(1, (x, y) -> x * y);
    boolean fits =
        fixed == count || (open && prefix.equals("ici_") && fixed > 0 && count % fixed == 0);
    if (fits || axes.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        "the axes "
            + axes.entrySet().stream()
                .filter(e -> !e.getValue().equals("1") && !e.getValue().equals("-1"))
                .map(e -> e.getKey() + "=" + e.getValue())
                .collect(Collectors.joining(" x "))
            + " multiply to "
            + fixed
            + ", and there are "
            + count
            + " "
            + what);
  }

  private static OptionalInt product(String prefix, SortedMap<String, String> axes) {
    int product = 1;
    boolean any = false;
    for (Map.Entry<String, String> e : axes.subMap(prefix, prefix + "~").entrySet()) {
      if (e.getKey().endsWith("_parallelism")) {
        if (number(e.getValue()) < 1) {
          return OptionalInt.empty();
        }
        product *= number(e.getValue());
        any = true;
      }
    }
    return any ? OptionalInt.of(product) : OptionalInt.empty();
  }

  /** The number, or 0 for other text, which then fits nothing. */
  private static int number(String text) {
    return text.matches("-?[0-9]{1,6}") ? Integer.parseInt(text) : 0;
  }

  private static Axes failed(String problem) {
    return new Axes(new LinkedHashMap<>(), Optional.of(problem));
  }
}
