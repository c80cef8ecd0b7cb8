package io.nightsweep.joblog;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.BitSet;

/** A part of a log in native memory: whole lines, or one piece of a line that is too long. */
final class BlockBuffer {
  private static final byte ESCAPE = 0x1b;
  private static final byte BELL = 7;
  private static final byte RETURN = '\r';
  private static final byte NEW_LINE = '\n';
  private static final long LOW_BITS = 0x7f7f7f7f7f7f7f7fL;
  private static final long ONES = 0x0101010101010101L;
  private static final long EVEN = 0x00ff00ff00ff00ffL;
  private static final long PAIR_ONES = 0x0001000100010001L;

  /** The number of words with hits that can be summed in bytes without overflow. */
  private static final int PART = 252;

  private final ByteBuffer bytes;
  private final LongBuffer longs;
  private final long[] part = new long[PART];

  /** Positions of the line breaks that were carriage returns. */
  private final BitSet returns = new BitSet();

  private boolean mayHaveEscapes;

  BlockBuffer(int capacity) {
    bytes = ByteBuffer.allocateDirect(capacity).order(ByteOrder.nativeOrder());
    longs = bytes.asLongBuffer();
  }

  ByteBuffer bytes() {
    return bytes;
  }

  boolean hasEscapes(int from, int to) {
    return mayHaveEscapes && NativeLibrary.contains(bytes, from, to, ESCAPE);
  }

  /**
   * Turns carriage returns, with which a progress bar overwrites itself, into line breaks, in the
   * range that was just read. The last byte stays undecided until the next one is read, since both
   * may form one line break. Most logs contain neither carriage returns nor escapes.
   */
  void breakAtReturns(int from, int to) {
    returns.clear(from, to);
    mayHaveEscapes =
        NativeLibrary.contains(bytes, from, to, ESCAPE) || (mayHaveEscapes && from > 0);
    if (!NativeLibrary.contains(bytes, from, to, RETURN)) {
      return;
    }
    for (int at = from; at < to - 1; at++) {
      if (bytes.get(at) == RETURN && bytes.get(at + 1) != '\n') {
        bytes.put(at, (byte) '\n');
        returns.set(at);
      }
    }
  }

  /** Whether the byte is a carriage return that may still turn out to be a line break. */
  boolean isUndecided(int at) {
    return bytes.get(at) == RETURN;
  }

  /** The positions, within the range, of breaks that were carriage returns. */
  BitSet returns(int from, int to) {
    return returns.get(from, to);
  }

  /** The number of line breaks as an editor counts them. */
  int lineFeeds(int from, int to, int newLines) {
    return returns.isEmpty() ? newLines : newLines - returns(from, to).cardinality();
  }

  /** Moves the range to the front; returns its length. */
  int moveToFront(int from, int to) {
    byte[] moved = new byte[to - from];
    bytes.get(from, moved);
    bytes.put(0, moved);
    BitSet marks = returns.get(from, to);
    returns.clear();
    returns.or(marks);
    return moved.length;
  }

  /** Replaces the content with the text. */
  void put(byte[] text, int from, int length) {
    bytes.put(0, text, from, length);
    breakAtReturns(0, length);
  }

  /**
   * The number of line breaks, including those that were carriage returns. Whole words are counted
   * at a time, in a form that the quick compiler, the only one in the daemon, translates well.
   */
  int newLines(int from, int to) {
    int words = Math.min(to, (from + Long.BYTES - 1) & -Long.BYTES);
    int end = Math.max(words, to & -Long.BYTES);
    int found = countBytes(from, words) + countBytes(end, to);
    for (int at = words >> 3; at < end >> 3; at += PART) {
      int length = Math.min(PART, (end >> 3) - at);
      longs.get(at, part, 0, length);
      found += newLines(part, length, NEW_LINE * ONES, LOW_BITS, ONES);
    }
    return found;
  }

  /**
   * Counts the line breaks of the words, four at a time, as if all were ASCII; counts again if they
   * are not. The constants are arguments so that they stay in registers.
   */
  private static int newLines(long[] words, int length, long newLine, long lowBits, long ones) {
    long all = 0;
    long others = 0;
    int i = 0;
    for (; i < length - 3; i += 4) {
      long a = words[i];
      long b = words[i + 1];
      long c = words[i + 2];
      long d = words[i + 3];
      all |= a | b | c | d;
      others +=
          ((((a ^ newLine) + lowBits) >>> 7) & ones)
              + ((((b ^ newLine) + lowBits) >>> 7) & ones)
              + ((((c ^ newLine) + lowBits) >>> 7) & ones)
              + ((((d ^ newLine) + lowBits) >>> 7) & ones);
    }
    for (; i < length; i++) {
      all |= words[i];
      others += (((words[i] ^ newLine) + lowBits) >>> 7) & ones;
    }
    return (all & ~lowBits) == 0
        ? length * Long.BYTES - total(others)
        : newLinesOfAny(words, length);
  }

  private static int newLinesOfAny(long[] words, int length) {
    long others = 0;
    for (int i = 0; i < length; i++) {
      long word = words[i] ^ (NEW_LINE * ONES);
      others += ((((word & LOW_BITS) + LOW_BITS) | word) >>> 7) & ONES;
    }
    return length * Long.BYTES - total(others);
  }

  /** The sum of a word's bytes. */
  private static int total(long sums) {
    long pairs = (sums & EVEN) + ((sums >>> 8) & EVEN);
    return (int) ((pairs * PAIR_ONES) >>> 48);
  }

  private int countBytes(int from, int to) {
    int found = 0;
    for (int at = from; at < to; at++) {
      found += bytes.get(at) == NEW_LINE ? 1 : 0;
    }
    return found;
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

  /** Removes colours and other terminal sequences from the range; returns its new end. */
  int withoutEscapes(int from, int to) {
    boolean hasReturns = !returns.isEmpty();
    int out = from;
    int in = from;
    while (in < to) {
      byte b = bytes.get(in);
      if (b == ESCAPE) {
        in = afterEscape(in, to);
      } else {
        bytes.put(out, b);
        if (hasReturns) {
          returns.set(out, returns.get(in));
        }
        out++;
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
    // For example "ESC ( B", which selects a character set.
    boolean isTwoFold = kind >= 0x20 && kind < 0x30 && at < to && bytes.get(at) != '\n';
    return isTwoFold ? at + 1 : at;
  }
}
