package io.nightsweep.joblog;

import java.io.IOException;
import java.nio.file.Path;

/** Reads what one of a job's files has grown by, and hands it on as blocks of whole lines. */
interface Follower {
  /** Takes the blocks. */
  interface BlockSink {
    /** Blocks of this file follow, from its start. */
    void file(Path file);

    void block(BlockBuffer buffer, int from, int to);
  }

  /** Whether it follows what the path names; a file that was renamed is followed on. */
  boolean isOf(Path path);

  /** Bytes of the file's content, those of rotated parts included. */
  long bytes();

  /** Bytes that were asked of the file system. */
  long bytesRead();

  /**
   * @param mostBytes to read at this call
   * @param isOver whether the job writes no more
   * @return whether nothing is left to be read but perhaps an unfinished line
   */
  boolean read(BlockBuffer buffer, long mostBytes, boolean isOver, BlockSink blocks)
      throws IOException;
}
