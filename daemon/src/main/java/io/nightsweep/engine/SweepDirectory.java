package io.nightsweep.engine;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import java.nio.file.Path;

/**
 * The directory with the files of one sweep. Jobs read and write below it, so it is on a shared
 * filesystem.
 */
public record SweepDirectory(Path root) {
  public Path journal() {
    return root.resolve("journal.jsonl");
  }

  public Path decisions() {
    return root.resolve("decisions.jsonl");
  }

  public Path sweepFile() {
    return root.resolve("sweep.yaml");
  }

  public Path origin() {
    return root.resolve("origin.json");
  }

  public Path reports() {
    return root.resolve("report");
  }

  /**
   * The directory of the pages that all sweeps of a model write. It is next to the sweeps' own
   * directories.
   */
  public Path modelReports() {
    Path sweeps = root.toAbsolutePath().getParent();
    return (sweeps == null ? root : sweeps).resolveSibling("reports");
  }

  /** The handle for queries of an attempt's job. */
  JobHandle handle(AttemptState a) {
    return new JobHandle(a.jobName(), a.job(), a.intendedAt(), job(a.id()));
  }

  public JobFiles job(AttemptId attempt) {
    return new JobFiles(root.resolve("jobs").resolve(attempt.toString()));
  }

  /** The sweep's id: its directory's name. */
  public String id() {
    return root.getFileName().toString();
  }
}
