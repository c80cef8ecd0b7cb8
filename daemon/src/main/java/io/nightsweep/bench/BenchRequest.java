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
 * @param home the installation that contains the programs
 * @param program the kernels
 * @param nodes pinned; a shard uses the first ones, as many as it needs
 * @param folder where bundles are published; all nodes must see it
 * @param hostSalt hashed before each host name; present where host names are replaced by hashes
 * @param rehearsal how the run deviates from the study; such a run never becomes the latest
 * @param resumed an earlier run to continue: its rows are taken over, the rest is measured
 * @param inject a fault for tests; a bundle with one never becomes the latest
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

  /** The program that a side runs. */
  Path program(Study.Side side) {
    return side.program().map(home::resolve).orElse(program);
  }

  /** The folder of a study's bundles. */
  Path bundles(String study) {
    return folder.resolve(study);
  }

  /** The folder of this run's jobs and attempts. */
  Path work() {
    return folder.resolve("work").resolve(id);
  }
}
