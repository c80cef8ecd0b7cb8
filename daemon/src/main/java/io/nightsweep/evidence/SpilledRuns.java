package io.nightsweep.evidence;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Sorted runs of intervals in a temporary file, which is deleted on closing. */
final class SpilledRuns implements Closeable {
  private static final int INTERVAL_BYTES = 2 * Long.BYTES;

  /** Bytes read at once from one run. */
  private static final int CHUNK = 512 * INTERVAL_BYTES;

  private final FileChannel file;
  private final List<SpilledRun> runs = new ArrayList<>();
  private long written;

  /**
   * @param from position in the file, in bytes
   */
  private record SpilledRun(long from, long to, long lastEnd) {}

  SpilledRuns() throws IOException {
    Path path = Files.createTempFile("nightsweep-intervals", ".tmp");
    file =
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Writes sorted intervals that do not touch; they extend the last run if they come after it. */
  void append(long[] starts, long[] ends, int size) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(size * INTERVAL_BYTES);
    for (int i = 0; i < size; i++) {
      bytes.putLong(starts[i]).putLong(ends[i]);
    }
    bytes.flip();
    long from = written;
    while (bytes.hasRemaining()) {
      written += file.write(bytes, written);
    }
    boolean continues = !runs.isEmpty() && runs.getLast().lastEnd() < starts[0];
    runs.add(new SpilledRun(continues ? runs.removeLast().from() : from, written, ends[size - 1]));
  }

  List<Intervals.Cursor> cursors() {
    return runs.stream().<Intervals.Cursor>map(FileCursor::new).toList();
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private final class FileCursor implements Intervals.Cursor {
    private final long to;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK).limit(0);
    private long at;
    private long start;
    private long end;

    FileCursor(SpilledRun run) {
      at = run.from();
      to = run.to();
    }

    @Override
    public boolean next() throws IOException {
      if (!chunk.hasRemaining()) {
        if (at >= to) {
          return false;
        }
        chunk.clear().limit((int) Math.min(CHUNK, to - at));
        while (chunk.hasRemaining()) {
          int read = file.read(chunk, at);
          if (read < 0) {
            throw new IOException("a temporary file was cut off");
          }
          at += read;
        }
        chunk.flip();
      }
      start = chunk.getLong();
      end = chunk.getLong();
      return true;
    }

    @Override
    public long start() {
      return start;
    }

    @Override
    public long end() {
      return end;
    }
  }
}
