package io.nightsweep.joblog;

import java.io.IOException;
import java.nio.file.Path;

/** Reads what was appended to one of a job's files, and passes it on as blocks of whole lines. */
interface Follower {
  interface BlockSink {
    /** Blocks of this file follow, from its start. */
    void file(Path file);

    void block(BlockBuffer buffer, int from, int to);
  }

  /** Whether it follows the file at this path; a renamed file is still followed. */
  boolean isOf(Path path);

  /** Size of the file's content in bytes, including rotated parts. */
  long bytes();

  /** Bytes that were requested from the file system. */
  long bytesRead();

  /**
   * @param mostBytes limit for this call
   * @param isOver whether the job no longer writes
   * @return whether everything is read except perhaps an unfinished line
   */
  boolean read(BlockBuffer buffer, long mostBytes, boolean isOver, BlockSink blocks)
      throws IOException;
}
