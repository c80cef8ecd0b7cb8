package io.nightsweep.joblog;

import java.nio.file.Path;

/**
 * One of the files that a job writes.
 *
 * @param path may be absent, rotated, truncated, compressed by gzip, xz or zstd, a pipe
 * @param rank who alone writes it; {@link Rank#NONE} where its lines tell, or nobody does
 */
public record LogFile(Path path, Rank rank) {
  /** A file whose lines tell who prints them, if anything does. */
  public static LogFile shared(Path path) {
    return new LogFile(path, Rank.NONE);
  }
}
