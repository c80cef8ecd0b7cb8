package io.nightsweep.conductor;

import io.nightsweep.sweep.CollectiveRoute;
import io.nightsweep.sweep.CollectiveRoute.Reach;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import io.nightsweep.sweep.WaveState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Chooses the axis of a hybrid with which the screening waves begin: the one with the collectives
 * that take most of the profiled window (procedure: "Read the step time breakdown to identify the
 * dominant axis. Start with that axis's catalog"). If the evidence does not decide, it is the axis
 * that is written first.
 */
final class DominantAxis {
  /**
   * The data that an axis makes devices exchange.
   *
   * @param kinds of collectives, by opcode
   * @param reach the part of the fabric that carries the axis
   */
  private record Traffic(Set<String> kinds, Reach reach) {}

  /**
   * From the procedure's table of mechanisms and the usual sharding: {@code dcn_*_parallelism}
   * names axes between nodes, {@code ici_*_parallelism} axes inside a node.
   */
  private static final Map<String, Traffic> TRAFFIC =
      Map.of(
          "FSDP",
              new Traffic(
                  Set.of("all-gather", "reduce-scatter", "all-reduce"), Reach.BETWEEN_NODES),
          "DP", new Traffic(Set.of("all-reduce"), Reach.BETWEEN_NODES),
          "PP", new Traffic(Set.of("collective-permute", "send", "recv"), Reach.BETWEEN_NODES),
          "TP",
              new Traffic(Set.of("all-gather", "reduce-scatter", "all-reduce"), Reach.INSIDE_NODES),
          "EP", new Traffic(Set.of("all-to-all", "ragged-all-to-all"), Reach.INSIDE_NODES),
          "CP",
              new Traffic(
                  Set.of("all-gather", "collective-permute", "all-to-all"), Reach.INSIDE_NODES));

  private DominantAxis() {}

  /** Reports once what the evidence shows, before the first candidate runs. */
  static List<Decision> judge(View view) {
    SweepState s = view.state();
    List<String> axes = axes(s);
    Optional<Finding> seen = LastFindings.last(s, Finding.COMMUNICATION);
    if (s.spec().plan().alternatives().isEmpty()
        || seen.isEmpty()
        || s.findings().stream().anyMatch(f -> f.is(Finding.DOMINANT_AXIS))
        || Mechanisms.areAwaited(view)
        || s.waves().stream().anyMatch(DominantAxis::hasBegun)) {
      return List.of();
    }
    Map<String, Double> costs = costs(axes, seen.get().exposedShares());
    String first = axes.getFirst();
    // Axes with equal cost, for example when nothing tells them apart, keep the written order.
    String dominant =
        axes.stream()
            .max(Comparator.comparingDouble(axis -> costs.getOrDefault(axis, 0.0)))
            .filter(a -> isMore(costs, a, first))
            .orElse(first);
    List<Decision> decisions = new ArrayList<>();
    decisions.add(
        new Decision.Append(
            new Event.FindingMade(finding(seen.get(), costs, dominant)),
            Statement.phrase("because-axes-apart")));
    if (s.spec().plan().alternatives().stream().anyMatch(a -> a.axis().equals(dominant))) {
      decisions.add(
          new Decision.Append(
              new Event.AxisChosen(dominant), Statement.phrase("because-axis-first")));
    }
    return decisions;
  }

  private static boolean isMore(Map<String, Double> costs, String axis, String first) {
    return costs.getOrDefault(axis, 0.0) > costs.getOrDefault(first, 0.0);
  }

  private static boolean hasBegun(WaveState w) {
    return w.is(Wave.Kind.SCREEN) && !w.wave().isAdded() && !w.isPending();
  }

  private static Finding finding(Finding seen, Map<String, Double> costs, String dominant) {
    String shares =
        costs.entrySet().stream()
            .map(e -> String.format(Locale.ROOT, "%s %.1f %%", e.getKey(), 100 * e.getValue()))
            .collect(Collectors.joining(", "));
    return new Finding(
        seen.attempt(),
        Finding.DOMINANT_AXIS,
        Statement.phrase("dominant-axis", shares, dominant),
        seen.sources(),
        new TreeMap<>(costs));
  }

  /** Shares of the window by axis. A cost that several axes may have caused is split equally. */
  private static Map<String, Double> costs(List<String> axes, Map<CollectiveRoute, Double> shares) {
    Map<String, Double> costs = new LinkedHashMap<>();
    axes.forEach(axis -> costs.put(axis, 0.0));
    shares.forEach(
        (route, share) -> {
          List<String> by = causedBy(axes, route);
          by.forEach(axis -> costs.merge(axis, share / by.size(), Double::sum));
        });
    return costs;
  }

  /**
   * The axes that exchange this kind of data on this part of the fabric, or if there are none, all
   * axes that exchange this kind of data.
   */
  private static List<String> causedBy(List<String> axes, CollectiveRoute route) {
    List<String> able =
        axes.stream().filter(axis -> traffic(axis).kinds().contains(route.opcode())).toList();
    List<String> there =
        able.stream().filter(axis -> traffic(axis).reach() == route.reach()).toList();
    return there.isEmpty() ? able : there;
  }

  private static Traffic traffic(String axis) {
    return TRAFFIC.getOrDefault(axis, new Traffic(Set.of(), Reach.BETWEEN_NODES));
  }

  /** The axis names in {@code PP=4,FSDP=2}, in their order. */
  private static List<String> axes(SweepState s) {
    return List.of(s.cell().parallelism().split(",", -1)).stream()
        .map(axis -> axis.replaceFirst("=.*", "").strip())
        .toList();
  }
}
