package io.nightsweep.engine;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
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

  /** What a workload needs to launch the attempt and to read its output. */
  Workload.LaunchRequest request(SweepState s, AttemptId attempt) {
    Trial trial = s.trialOf(attempt);
    return new Workload.LaunchRequest(
        s.spec(),
        trial,
        s.profile(trial.profile()),
        s.configTag(trial.configTag()).orElseThrow(),
        attempt,
        attempt.jobName(s.sweep()),
        job(attempt).output());
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
