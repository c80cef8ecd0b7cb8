package io.nightsweep.evidence;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the text of one compiled module shows.
 *
 * @param loops how many while loops it has
 * @param names collectives and containers by instruction name, for reading traces
 */
public record HloReading(Path file, List<Collective> collectives, int loops, Names names) {

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
  }

  /** The collectives of a kind, the largest first. */
  public List<Collective> of(CollectiveKind kind) {
    return collectives.stream()
        .filter(c -> c.kind() == kind)
        .sorted(Comparator.comparingLong(Collective::bytes).reversed())
        .toList();
  }
}
