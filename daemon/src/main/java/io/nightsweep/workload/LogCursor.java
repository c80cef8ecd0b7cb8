package io.nightsweep.workload;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Follows a growing log: each byte is read once. A log that shrinks is read anew. */
public final class LogCursor {
  /** At most this much is taken in at one look; the rest waits for the next. */
  private static final int MOST_BYTES = 8 << 20;

  private static final int BLOCK_BYTES = 1 << 20;

  private final Path log;
  private long offset;

  public LogCursor(Path log) {
    this.log = log;
  }

  /** The whole lines since the last look; none where there is no log yet. */
  public List<String> newLines() {
    List<String> lines = new ArrayList<>();
    read(
        MOST_BYTES,
        MOST_BYTES,
        (bytes, length) ->
            new String(bytes, 0, length, StandardCharsets.UTF_8).lines().forEach(lines::add));
    return lines;
  }

  /** All whole lines since the last look, in blocks of at most one MiB, as they are. */
  public void forEachBlock(BlockReader reader) {
    read(Long.MAX_VALUE, BLOCK_BYTES, reader);
  }

  /** Takes a block, which is good until it returns. */
  @FunctionalInterface
  public interface BlockReader {
    void accept(byte[] bytes, int length);
  }

  /** A line that is longer than a block is cut; what follows the last line end waits. */
  private void read(long most, int blockBytes, BlockReader reader) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      long length = file.length();
      if (length < offset) {
        offset = 0;
      }
      long end = Math.min(length, most > length - offset ? length : offset + most);
      byte[] bytes = new byte[(int) Math.min(blockBytes, end - offset)];
      while (offset < end) {
        int count = (int) Math.min(bytes.length, end - offset);
        file.seek(offset);
        file.readFully(bytes, 0, count);
        int whole = count;
        while (whole > 0 && bytes[whole - 1] != '\n') {
          whole--;
        }
        if (whole == 0 && count < blockBytes) {
          return;
        }
        whole = whole == 0 ? count : whole;
        offset += whole;
        reader.accept(bytes, whole);
      }
    } catch (IOException e) {
      // Not there yet, or not readable now: the next look goes on where this one stood.
    }
  }
}
