package io.nightsweep.workload.maxtext;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Words that are looked for all at once in a log's bytes. Four bytes are looked at every so many
 * bytes that some four of each word's end must be among them, wherever it stands.
 */
final class Words {
  private static final VarHandle FOUR =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Small enough to stay in a processor's first cache. */
  private static final int SLOT_BITS = 14;

  private final int stride;
  private final boolean[] slots = new boolean[1 << SLOT_BITS];
  private final Map<Integer, List<Place>> places = new HashMap<>();

  /**
   * @param before how many of the word's bytes come before the four
   */
  private record Place(String word, int before) {}

  Words(Collection<String> words) {
    int shortest = words.stream().mapToInt(String::length).min().orElse(Integer.MAX_VALUE);
    stride = shortest - Integer.BYTES + 1;
    words.forEach(this::add);
  }

  private void add(String word) {
    byte[] bytes = word.getBytes(StandardCharsets.ISO_8859_1);
    int last = bytes.length - Integer.BYTES;
    for (int before = Math.max(0, last - stride + 1); before <= last; before++) {
      int four = (int) FOUR.get(bytes, before);
      slots[slot(four)] = true;
      places.computeIfAbsent(four, f -> new ArrayList<>()).add(new Place(word, before));
    }
  }

  /**
   * Where the first line starts that holds a word, {@code to} where none does. Where a word is
   * shorter than four bytes, any line may be said to hold it.
   *
   * @param from where a line starts
   */
  int nextLine(byte[] bytes, int from, int to) {
    if (stride < 1) {
      return from;
    }
    for (int at = from; at <= to - Integer.BYTES; at += stride) {
      int four = (int) FOUR.get(bytes, at);
      if (slots[slot(four)] && isWord(four, bytes, at, from, to)) {
        return startOfLine(bytes, from, at);
      }
    }
    return to;
  }

  private boolean isWord(int four, byte[] bytes, int at, int from, int to) {
    for (Place place : places.getOrDefault(four, List.of())) {
      int start = at - place.before;
      if (start >= from && start + place.word.length() <= to && stands(place.word, bytes, start)) {
        return true;
      }
    }
    return false;
  }

  private static int startOfLine(byte[] bytes, int from, int at) {
    int start = at;
    while (start > from && bytes[start - 1] != '\n') {
      start--;
    }
    return start;
  }

  private static boolean stands(String word, byte[] bytes, int start) {
    for (int i = 0; i < word.length(); i++) {
      if (word.charAt(i) != (bytes[start + i] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  private static int slot(int four) {
    // Knuth's multiplicative hash: 2^32 over the golden ratio.
    return (four * 0x9e3779b1) >>> (Integer.SIZE - SLOT_BITS);
  }
}
