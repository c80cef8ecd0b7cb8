package io.nightsweep.workload.maxtext;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;

class WordsProperties {
  @Property(tries = 500)
  void findsTheLinesThatHoldAWordAndNoOthers(
      @ForAll @Size(min = 1, max = 4)
          List<@StringLength(min = 4, max = 9) @CharRange(from = 'a', to = 'b') String> words,
      @ForAll @Size(max = 30)
          List<@StringLength(max = 30) @CharRange(from = 'a', to = 'b') String> lines,
      @ForAll @IntRange(max = 9) int beyond) {
    assertThat(found(words, lines, "abababbab".substring(beyond)))
        .isEqualTo(lines.stream().filter(line -> holdsOne(line, words)).toList());
  }

  @Property(tries = 300)
  void missesNoLineWhereAWordIsShort(
      @ForAll @Size(min = 1, max = 3)
          List<@StringLength(min = 1, max = 6) @CharRange(from = 'a', to = 'c') String> words,
      @ForAll @Size(max = 20)
          List<@StringLength(max = 20) @CharRange(from = 'a', to = 'c') String> lines) {
    assertThat(found(words, lines, ""))
        .containsAll(lines.stream().filter(line -> holdsOne(line, words)).toList());
  }

  private static boolean holdsOne(String line, List<String> words) {
    return words.stream().anyMatch(line::contains);
  }

  /**
   * @param beyond what is in the array after the bytes that are to be read
   */
  private static List<String> found(List<String> words, List<String> lines, String beyond) {
    String text = String.join("\n", lines);
    byte[] bytes = (text + beyond).getBytes(StandardCharsets.ISO_8859_1);
    Words sought = new Words(words);
    List<String> found = new ArrayList<>();
    int start = sought.nextLine(bytes, 0, text.length());
    while (start < text.length()) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      found.add(text.substring(start, end));
      start = end >= text.length() ? end : sought.nextLine(bytes, end + 1, text.length());
    }
    return found;
  }
}
