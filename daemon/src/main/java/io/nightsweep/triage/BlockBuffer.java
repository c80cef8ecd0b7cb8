package io.nightsweep.triage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A part of a log in native memory: whole lines, or one piece of a line that is too long. */
final class BlockBuffer {
  private static final byte ESCAPE = 0x1b;
  private static final byte BELL = 7;
  private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;
  private static final long NEW_LINES = 0x0a0a0a0a0a0a0a0aL;
  private static final long ESCAPES = 0x1b1b1b1b1b1b1b1bL;

  private final ByteBuffer bytes;

  BlockBuffer(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
  }

  ByteBuffer bytes() {
    return bytes;
  }

  /** What one walk over a block tells. */
  record Contents(int newLines, boolean escapes) {}

  /** Eight bytes at a time: a byte that is zero after the exclusive or is one that is sought. */
  Contents contents(int from, int to) {
    int newLines = 0;
    long escapes = 0;
    int at = from;
    for (; at + 8 <= to; at += 8) {
      long eight = bytes.getLong(at);
      newLines += Long.bitCount(zeros(eight ^ NEW_LINES));
      escapes |= zeros(eight ^ ESCAPES);
    }
    for (; at < to; at++) {
      newLines += bytes.get(at) == '\n' ? 1 : 0;
      escapes |= bytes.get(at) == ESCAPE ? 1 : 0;
    }
    return new Contents(newLines, escapes != 0);
  }

  private static long zeros(long eight) {
    return ~(((eight & LOW_BITS) + LOW_BITS) | eight | LOW_BITS);
  }

  int newLines(int from, int to) {
    return contents(from, to).newLines();
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
