package io.nightsweep.joblog;

import com.google.re2j.Pattern;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Patterns that are matched against one line at a time, all of them at once. */
public final class LinePatterns {
  /** A line fits into a block; only replacements of invalid bytes can make it longer. */
  private static final ThreadLocal<ByteBuffer> BUFFERS =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(LogFollower.BLOCK));

  /** White space in the engine, but not in RE2 syntax. */
  private static final char VERTICAL_TAB = 0x0b;

  private final SortedMap<Integer, String> expressions;

  /** Compiled on first use: most logs need no match. */
  private Optional<PatternSet> compiled = Optional.empty();

  private final Map<Integer, Pattern> checks = new HashMap<>();

  /** Patterns for which the engine finds no false matches in a line of ASCII. */
  private final Set<Integer> exact;

  /**
   * @param expressions in RE2 syntax, by number
   */
  public LinePatterns(SortedMap<Integer, String> expressions) {
    this.expressions = new TreeMap<>(expressions);
    this.exact =
        expressions.entrySet().stream()
            .filter(e -> Bytewise.isExactForAscii(e.getValue()))
            .map(Map.Entry::getKey)
            .collect(Collectors.toUnmodifiableSet());
  }

  /** The numbers, ascending, of the patterns that match somewhere in the line. */
  public List<Integer> matching(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = BUFFERS.get();
    if (buffer.capacity() < bytes.length) {
      buffer = ByteBuffer.allocateDirect(bytes.length);
      BUFFERS.set(buffer);
    }
    buffer.put(0, bytes);
    TreeSet<Integer> found = new TreeSet<>();
    compiled().scan(buffer, 0, bytes.length, (id, end) -> found.add(id));
    boolean isPlain = bytes.length == line.length() && line.indexOf(VERTICAL_TAB) < 0;
    found.removeIf(id -> !(isPlain && exact.contains(id)) && !check(id).matcher(line).find());
    return found.isEmpty() ? List.of() : List.copyOf(found);
  }

  private synchronized Pattern check(int id) {
    return checks.computeIfAbsent(
        id, k -> Pattern.compile(Objects.requireNonNull(expressions.get(k))));
  }

  private synchronized PatternSet compiled() {
    PatternSet known = compiled.orElseGet(() -> PatternSets.of(expressions));
    compiled = Optional.of(known);
    return known;
  }
}
