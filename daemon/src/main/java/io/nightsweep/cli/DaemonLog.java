package io.nightsweep.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds the log of a background daemon. The daemon's standard error appends to the file, so the
 * file must be emptied in place and not renamed.
 */
final class DaemonLog {
  private static final Logger log = LoggerFactory.getLogger(DaemonLog.class);

  /** The log's limit; with the copy of its earlier content it occupies twice as much. */
  static final long MOST_BYTES = 16 << 20;

  private DaemonLog() {}

  /** Moves a log that has grown too long into the copy, replacing the copy's earlier content. */
  static void bound(Path file) {
    try {
      if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) <= MOST_BYTES) {
        return;
      }
      Files.copy(
          file,
          file.resolveSibling(file.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING,
          StandardCopyOption.COPY_ATTRIBUTES);
      try (FileChannel channel =
          FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
        channel.truncate(0);
      }
    } catch (IOException e) {
      log.warn("{} cannot be bounded: {}", file, e.getMessage());
    }
  }
}
