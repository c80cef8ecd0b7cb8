package io.nightsweep.cluster;

import java.nio.file.Path;

/** The files of one attempt, in a directory of its own on the shared filesystem. */
public record JobFiles(Path directory) {
  /** What the cluster was given to run. */
  public Path script() {
    return directory.resolve("job.sh");
  }

  /** What ran the launcher, where one queued the job. */
  public Path launcher() {
    return directory.resolve("launch.sh");
  }

  /** Created atomically by the job's first act; holds the id of the job that owns the intent. */
  public Path claim() {
    return directory.resolve("claim");
  }

  /** Written by the job's wrapper when the payload has ended; its verdict is final. */
  public Path exitRecord() {
    return directory.resolve("exit.json");
  }

  /** Run on each node beside the payload where it is there; see {@link NodeSamples}. */
  public Path watch() {
    return directory.resolve("watch.sh");
  }

  /** What the node with this number in the job told of itself. */
  public Path samples(int node) {
    return directory.resolve("watch." + node);
  }

  /** Standard output and error of the job. */
  public Path log() {
    return directory.resolve("job.log");
  }

  /** What the workload writes. */
  public Path output() {
    return directory.resolve("out");
  }
}
