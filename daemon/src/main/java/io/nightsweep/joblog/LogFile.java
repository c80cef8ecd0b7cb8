package io.nightsweep.joblog;

import java.nio.file.Path;

/**
 * One of the files that a job writes.
 *
 * @param path may be absent, rotated, truncated, compressed by gzip, xz or zstd, a pipe
 * @param rank who alone writes it; {@link Rank#NONE} where its lines tell, or nobody does
 * @param form what is in it
 */
public record LogFile(Path path, Rank rank, Form form) {
  /** What a file holds. */
  public enum Form {
    /** Lines. */
    TEXT,
    /**
     * A file of TensorBoard's events, in which each scalar is read as the line of a {@link Scalar}.
     */
    EVENTS
  }

  public LogFile(Path path, Rank rank) {
    this(path, rank, Form.TEXT);
  }

  /** A file whose lines tell who prints them, if anything does. */
  public static LogFile shared(Path path) {
    return new LogFile(path, Rank.NONE);
  }
}
