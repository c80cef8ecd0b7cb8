package io.nightsweep.evidence;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What the text of one compiled module shows.
 *
 * @param module its name, such as {@code jit_train_step}
 * @param scheduled whether the text's order is the schedule; otherwise nothing is known about
 *     overlap
 * @param names collectives and containers by instruction name, for reading traces
 * @param omitted collectives beyond the limit on forms; 0 for any module seen so far
 */
public record HloReading(
    Path file,
    String module,
    boolean scheduled,
    List<Collective> collectives,
    List<Loop> loops,
    Names names,
    int omitted) {

  /**
   * @param trips iterations, where the compiler knows them
   */
  public record Loop(OptionalLong trips) {}

  /**
   * @param collectives the kind and reach of each collective's instruction
   * @param containers instructions whose time is that of the code they call: loops, calls, branches
   */
  public record Names(Map<String, Route> collectives, Set<String> containers) {
    public Names {
      collectives = Map.copyOf(collectives);
      containers = Set.copyOf(containers);
    }

    public static Names none() {
      return new Names(Map.of(), Set.of());
    }
  }

  public HloReading {
    collectives = List.copyOf(collectives);
    loops = List.copyOf(loops);
  }

  /** The collectives of a kind, the largest first. */
  public List<Collective> of(CollectiveKind kind) {
    return collectives.stream()
        .filter(c -> c.kind() == kind)
        .sorted(Comparator.comparingLong(Collective::bytes).reversed())
        .toList();
  }
}
