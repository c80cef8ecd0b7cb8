package io.nightsweep.cluster;

import java.nio.file.Path;

/** The files of one attempt, in its own directory on the shared filesystem. */
public record JobFiles(Path directory) {
  /** The script that the cluster runs. */
  public Path script() {
    return directory.resolve("job.sh");
  }

  /** The script that ran the launcher, if one queued the job. */
  public Path launcher() {
    return directory.resolve("launch.sh");
  }

  /** Created atomically by the job's first act; contains the id of the job that owns the intent. */
  public Path claim() {
    return directory.resolve("claim");
  }

  /** Written by the job's wrapper when the payload has ended; final. */
  public Path exitRecord() {
    return directory.resolve("exit.json");
  }

  /** If it exists, it runs on each node beside the payload; see {@link NodeSamples}. */
  public Path watch() {
    return directory.resolve("watch.sh");
  }

  /** The samples that the node with this number in the job wrote about itself. */
  public Path samples(int node) {
    return directory.resolve("watch." + node);
  }

  /** Standard output and error of the job. */
  public Path log() {
    return directory.resolve("job.log");
  }

  /** The workload's output. */
  public Path output() {
    return directory.resolve("out");
  }
}
