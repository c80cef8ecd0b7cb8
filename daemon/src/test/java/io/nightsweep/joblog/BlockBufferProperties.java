package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Reading by words finds the same as reading by bytes, wherever a range begins and ends. */
class BlockBufferProperties {
  private static final byte[] KINDS = {'\n', 0x1b, 'a', (byte) 0x8a, (byte) 0x9b, 0, '\r'};

  @Property
  void everyRangeIsCountedAsByBytes(
      @ForAll @Size(max = 100) int[] kinds,
      @ForAll @IntRange(max = 100) int one,
      @ForAll @IntRange(max = 100) int other) {
    check(kinds, one, other);
  }

  /** Longer than the unit of summation, and sometimes made only of the byte searched for. */
  @Property(tries = 100)
  void soAreLongOnes(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 7) int variety,
      @ForAll @IntRange(max = 10_000) int one,
      @ForAll @IntRange(max = 10_000) int other) {
    check(new Random(seed).ints(10_000, 0, variety).toArray(), one, other);
  }

  private static void check(int[] kinds, int one, int other) {
    BlockBuffer buffer = new BlockBuffer(kinds.length + 28 & -8);
    byte[] text = new byte[kinds.length];
    for (int i = 0; i < text.length; i++) {
      text[i] = KINDS[Math.floorMod(kinds[i], KINDS.length)];
    }
    int from = Math.min(Math.min(one, other), text.length);
    int to = Math.min(Math.max(one, other), text.length);
    // Reads in two parts, as from a pipe.
    buffer.bytes().put(0, text);
    buffer.breakAtReturns(0, from);
    buffer.breakAtReturns(Math.max(0, from - 1), text.length);
    int newLines = 0;
    boolean escapes = false;
    for (int i = from; i < to; i++) {
      boolean isReturn = text[i] == '\r' && i + 1 < text.length && text[i + 1] != '\n';
      newLines += isReturn || text[i] == '\n' ? 1 : 0;
      escapes |= text[i] == 0x1b;
    }
    assertThat(buffer.newLines(from, to)).isEqualTo(newLines);
    assertThat(buffer.hasEscapes(from, to)).isEqualTo(escapes);
    int end = buffer.withoutEscapes(from, to);
    int left = 0;
    for (int i = from; i < end; i++) {
      left += buffer.bytes().get(i) == '\n' ? 1 : 0;
    }
    assertThat(buffer.newLines(from, end)).isEqualTo(left);
  }
}
