package io.nightsweep.journal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a stream line by line into one reused buffer. */
final class ByteLines {
  /**
   * Includes the line's end. No written event is longer; a damaged file may have gigabytes without
   * a line end.
   */
  static final int LONGEST_LINE_BYTES = 16 << 20;

  private final InputStream in;
  private byte[] buffer = new byte[1 << 16];
  private int limit;
  private int next;
  private long base;

  private int from;
  private int to;
  private boolean terminated;

  ByteLines(InputStream in) {
    this.in = in;
  }

  /** Moves to the next line, including an unterminated last line; returns false at the end. */
  boolean advance() throws IOException {
    from = next;
    int scan = from;
    while (true) {
      while (scan < limit) {
        if (buffer[scan++] == '\n') {
          to = scan - 1;
          next = scan;
          terminated = true;
          return true;
        }
      }
      int scanned = scan - from;
      if (!fill()) {
        to = limit;
        next = limit;
        terminated = false;
        return to > from;
      }
      scan = from + scanned;
    }
  }

  private boolean fill() throws IOException {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, limit - from);
      base += from;
      limit -= from;
      from = 0;
    }
    if (limit == buffer.length) {
      if (limit >= LONGEST_LINE_BYTES) {
        throw new IOException("the line at byte " + base + " has more than 16 MiB");
      }
      buffer = Arrays.copyOf(buffer, Math.multiplyExact(buffer.length, 2));
    }
    int read = in.read(buffer, limit, buffer.length - limit);
    if (read > 0) {
      limit += read;
    }
    return read > 0;
  }

  byte[] bytes() {
    return buffer;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }

  boolean isTerminated() {
    return terminated;
  }

  /** The offset in the stream at which the line starts. */
  long offset() {
    return base + from;
  }

  /** The offset in the stream at which the next line starts. */
  long end() {
    return base + next;
  }
}
