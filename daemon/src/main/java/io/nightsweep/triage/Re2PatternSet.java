package io.nightsweep.triage;

import com.google.re2j.Pattern;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** In Java alone, for machines that the native engine does not know; some hundred times slower. */
final class Re2PatternSet implements PatternSet {
  private final List<Pattern> patterns;
  private final Pattern any;

  Re2PatternSet(List<String> expressions) {
    patterns = expressions.stream().map(Pattern::compile).toList();
    any =
        Pattern.compile(
            expressions.stream().map(e -> "(?:" + e + ")").collect(Collectors.joining("|")));
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
    for (int i = 0; i < patterns.size(); i++) {
      if (patterns.get(i).matcher(line).find()) {
        found.at(i, end);
      }
    }
  }
}
