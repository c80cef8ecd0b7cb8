package io.nightsweep.triage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;

/** A part of a log in native memory: whole lines, or one piece of a line that is too long. */
final class BlockBuffer {
  private static final byte ESCAPE = 0x1b;
  private static final byte BELL = 7;
  private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;
  private static final long NEW_LINES = 0x0a0a0a0a0a0a0a0aL;
  private static final long ESCAPES = 0x1b1b1b1b1b1b1b1bL;

  private final ByteBuffer bytes;
  private final LongBuffer longs;

  BlockBuffer(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    longs = bytes.asLongBuffer();
  }

  ByteBuffer bytes() {
    return bytes;
  }

  boolean hasEscapes(int from, int to) {
    int words = wordsFrom(from, to);
    int end = Math.max(words, to & -Long.BYTES);
    long found = 0;
    for (int i = words >> 3; i < end >> 3; i++) {
      found |= zeros(longs.get(i) ^ ESCAPES);
    }
    return found != 0 || count(ESCAPE, from, words) + count(ESCAPE, end, to) > 0;
  }

  int newLines(int from, int to) {
    int words = wordsFrom(from, to);
    int end = Math.max(words, to & -Long.BYTES);
    int found = 0;
    // Plain enough for the compiler to do several words at once, as it does not for unaligned ones.
    for (int i = words >> 3; i < end >> 3; i++) {
      found += Long.bitCount(zeros(longs.get(i) ^ NEW_LINES));
    }
    return found + count((byte) '\n', from, words) + count((byte) '\n', end, to);
  }

  private static int wordsFrom(int from, int to) {
    return Math.min(to, (from + Long.BYTES - 1) & -Long.BYTES);
  }

  private int count(byte sought, int from, int to) {
    int found = 0;
    for (int at = from; at < to; at++) {
      found += bytes.get(at) == sought ? 1 : 0;
    }
    return found;
  }

  /** The high bit of each byte that is zero. */
  private static long zeros(long eight) {
    return ~(((eight & LOW_BITS) + LOW_BITS) | eight | LOW_BITS);
  }

  /** The offset of the last line break in the range, or -1. */
  int lastNewLine(int from, int to) {
    int at = to - 1;
    while (at >= from && bytes.get(at) != '\n') {
      at--;
    }
    return at >= from ? at : -1;
  }

  /** The offset of the next line break, or the range's end. */
  int nextNewLine(int from, int to) {
    int at = from;
    while (at < to && bytes.get(at) != '\n') {
      at++;
    }
    return at;
  }

  /**
   * Moves the range together over its colours and other terminal sequences; answers its new end.
   */
  int withoutEscapes(int from, int to) {
    int out = from;
    int in = from;
    while (in < to) {
      byte b = bytes.get(in);
      if (b == ESCAPE) {
        in = afterEscape(in, to);
      } else {
        bytes.put(out++, b);
        in++;
      }
    }
    return out;
  }

  /** ECMA-48: a control sequence ends with a letter, a command with BEL or ESC backslash. */
  private int afterEscape(int escape, int to) {
    int at = escape + 1;
    if (at >= to || bytes.get(at) == '\n') {
      return at;
    }
    byte kind = bytes.get(at++);
    if (kind == '[') {
      while (at < to && bytes.get(at) >= 0x20 && bytes.get(at) < 0x40) {
        at++;
      }
      return at < to && bytes.get(at) >= 0x40 ? at + 1 : at;
    }
    if (kind == ']') {
      while (at < to && bytes.get(at) != '\n' && bytes.get(at) != BELL && bytes.get(at) != ESCAPE) {
        at++;
      }
      boolean closed = at < to && bytes.get(at) == BELL;
      boolean closedByTwo = at + 1 < to && bytes.get(at) == ESCAPE && bytes.get(at + 1) == '\\';
      return closed ? at + 1 : closedByTwo ? at + 2 : at;
    }
    return at;
  }
}
