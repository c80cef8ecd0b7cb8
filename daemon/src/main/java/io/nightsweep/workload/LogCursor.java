package io.nightsweep.workload;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Follows a growing log: each byte is read once. A log that shrinks is read anew. */
public final class LogCursor {
  /** At most this much is taken in at one look; the rest waits for the next. */
  private static final int MOST_BYTES = 8 << 20;

  private final Path log;
  private long offset;

  public LogCursor(Path log) {
    this.log = log;
  }

  /** The whole lines since the last look; none where there is no log yet. */
  public List<String> newLines() {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long length = file.length();
      if (length < offset) {
        offset = 0;
      }
      byte[] bytes = new byte[(int) Math.min(MOST_BYTES, length - offset)];
      file.seek(offset);
      file.readFully(bytes);
      int end = bytes.length;
      while (end > 0 && bytes[end - 1] != '\n') {
        end--;
      }
      if (end == 0 && bytes.length == MOST_BYTES) {
        end = bytes.length;
      }
      offset += end;
      return new String(bytes, 0, end, StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
