package io.nightsweep.joblog;

import java.nio.file.Path;

/**
 * One of the files that a job writes.
 *
 * @param path may be absent, rotated, truncated, compressed with gzip, xz or zstd, or a pipe
 * @param rank the only rank that writes it; {@link Rank#NONE} if its lines name their rank or the
 *     rank is unknown
 * @param form the kind of content
 */
public record LogFile(Path path, Rank rank, Form form) {
  /** The content of a file. */
  public enum Form {
    /** Lines. */
    TEXT,
    /** A TensorBoard event file; each scalar is read as the line of a {@link Scalar}. */
    EVENTS
  }

  public LogFile(Path path, Rank rank) {
    this(path, rank, Form.TEXT);
  }

  /** A file in which the lines themselves may name their rank. */
  public static LogFile shared(Path path) {
    return new LogFile(path, Rank.NONE);
  }
}
