package io.nightsweep.joblog;

import com.google.re2j.Pattern;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Matches patterns in pure Java, for machines without the native engine; some hundred times slower.
 */
final class Re2PatternSet implements PatternSet {
  private final SortedMap<Integer, String> expressions;
  private final SortedMap<Integer, Pattern> patterns = new TreeMap<>();
  private final Pattern any;

  Re2PatternSet(SortedMap<Integer, String> expressions) {
    this.expressions = Collections.unmodifiableSortedMap(expressions);
    expressions.forEach((id, e) -> patterns.put(id, Pattern.compile(e)));
    any =
        Pattern.compile(
            expressions.values().stream()
                .map(e -> "(?:" + e + ")")
                .collect(Collectors.joining("|")));
  }

  @Override
  public SortedMap<Integer, String> expressions() {
    return expressions;
  }

  @Override
  public void scan(ByteBuffer buffer, int from, int length, Found found) {
    byte[] bytes = new byte[length];
    buffer.get(from, bytes);
    int start = 0;
    while (start < length) {
      int end = start;
      while (end < length && bytes[end] != '\n') {
        end++;
      }
      line(new String(bytes, start, end - start, StandardCharsets.UTF_8), end, found);
      start = end + 1;
    }
  }

  private void line(String line, int end, Found found) {
    if (patterns.isEmpty() || !any.matcher(line).find()) {
      return;
    }
    patterns.forEach(
        (id, pattern) -> {
          if (pattern.matcher(line).find()) {
            found.at(id, end);
          }
        });
  }
}
