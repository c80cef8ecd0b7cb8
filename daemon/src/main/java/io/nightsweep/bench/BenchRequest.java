package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Where and how a study runs.
 *
 * @param id of this run: in job names, folders and the bundle's name
 * @param home the installation; programs are looked for there
 * @param program the kernels
 * @param nodes pinned; a shard takes the first it needs
 * @param folder where bundles are published, which all nodes see
 * @param hostSalt present where hosts are told as hashes, and what is hashed before each name
 * @param rehearsal how it differs from the study; such a run is never the latest
 * @param resumed an earlier run whose rows are taken over; what it did not measure runs
 * @param inject a fault for tests; what it touched is never the latest
 */
public record BenchRequest(
    String id,
    Path home,
    Path program,
    List<String> nodes,
    Optional<String> partition,
    Path folder,
    Instant startedAt,
    Optional<String> hostSalt,
    StudyRehearsal rehearsal,
    Optional<WorkFolder> resumed,
    Optional<String> inject) {
  public BenchRequest {
    nodes = List.copyOf(nodes);
  }

  /** What a side runs. */
  Path program(Study.Side side) {
    return side.program().map(home::resolve).orElse(program);
  }

  /** What a study's earlier bundles lie in. */
  Path bundles(String study) {
    return folder.resolve(study);
  }

  /** Jobs and attempts of this run. */
  Path work() {
    return folder.resolve("work").resolve(id);
  }
}
