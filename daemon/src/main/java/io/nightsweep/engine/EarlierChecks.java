package io.nightsweep.engine;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.judging.NodeOutliers;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.NodeFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads what the node checks of earlier sweeps beside this one measured on the same nodes. */
final class EarlierChecks {
  private static final Logger log = LoggerFactory.getLogger(EarlierChecks.class);

  /** Only the latest sweeps are read; a state directory may hold hundreds. */
  private static final int SWEEPS_READ = 10;

  private EarlierChecks() {}

  /** Medians by node, without nodes that no earlier check measured. */
  static List<NodeFigures> of(SweepDirectory own, List<String> nodes) {
    List<NodeFigures> found = new ArrayList<>();
    for (SweepDirectory sweep : beside(own)) {
      try {
        JournalReader.read(
            sweep.journal(),
            entry -> {
              if (entry.event() instanceof Event.NodesChecked check) {
                check.nodes().stream().filter(n -> nodes.contains(n.node())).forEach(found::add);
              }
            });
      } catch (IOException e) {
        log.warn("{}: its checks of nodes are ignored: {}", sweep.id(), e.getMessage());
      }
    }
    return NodeOutliers.medians(found);
  }

  private static List<SweepDirectory> beside(SweepDirectory own) {
    Path sweeps = own.root().toAbsolutePath().getParent();
    if (sweeps == null || !Files.isDirectory(sweeps)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(sweeps)) {
      return children
          .filter(path -> !path.equals(own.root().toAbsolutePath()))
          .map(SweepDirectory::new)
          .filter(sweep -> begunAt(sweep).isPresent())
          .sorted(
              Comparator.comparing(
                  (SweepDirectory sweep) -> begunAt(sweep).orElse(0L), Comparator.reverseOrder()))
          .limit(SWEEPS_READ)
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Optional<Long> begunAt(SweepDirectory sweep) {
    try {
      return Optional.of(Files.getLastModifiedTime(sweep.journal()).toMillis());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
