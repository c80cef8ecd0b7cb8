package io.nightsweep.evidence;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads lines of a text of any size, one at a time, each up to a limit. */
final class LineSource {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final int most;
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int filled;
  private long position;
  private byte[] line = new byte[1 << 12];
  private int length;

  /**
   * @param most bytes of a line that are kept; the rest is skipped
   */
  LineSource(InputStream in, int most) {
    this.in = in;
    this.most = most;
  }

  /** Reads the next line; false at the end of the text. */
  boolean next() throws IOException {
    length = 0;
    boolean any = false;
    while (true) {
      if (at == filled) {
        filled = Math.max(0, in.read(buffer));
        at = 0;
        if (filled == 0) {
          return any;
        }
      }
      any = true;
      int end = at;
      while (end < filled && buffer[end] != '\n') {
        end++;
      }
      keep(at, end);
      position += end - at;
      if (end < filled) {
        position++;
        at = end + 1;
        return true;
      }
      at = filled;
    }
  }

  /** Bytes read so far. */
  long position() {
    return position;
  }

  int length() {
    return length;
  }

  byte at(int index) {
    return index < length ? line[index] : 0;
  }

  String text() {
    return new String(line, 0, length, StandardCharsets.ISO_8859_1);
  }

  String text(int from, int to) {
    return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private void keep(int from, int to) {
    int kept = Math.min(to - from, most - length);
    if (kept <= 0) {
      return;
    }
    if (length + kept > line.length) {
      line = Arrays.copyOf(line, Math.min(most, Math.max(line.length * 2, length + kept)));
    }
    System.arraycopy(buffer, from, line, length, kept);
    length += kept;
  }
}
