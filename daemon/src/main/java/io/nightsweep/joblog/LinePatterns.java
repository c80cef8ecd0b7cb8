package io.nightsweep.joblog;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Patterns that are held against a line at a time, all of them at once. */
public final class LinePatterns {
  /** A line fits into a block; only replaced invalid bytes can make it longer. */
  private static final ThreadLocal<ByteBuffer> BUFFERS =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(LogFollower.BLOCK));

  private final SortedMap<Integer, String> expressions;

  /** Compiled where a line asks first: most logs have none that does. */
  private Optional<PatternSet> compiled = Optional.empty();

  /**
   * @param expressions in RE2 syntax, by number
   */
  public LinePatterns(SortedMap<Integer, String> expressions) {
    this.expressions = new TreeMap<>(expressions);
  }

  /** The numbers, ascending, of those that may match the line; each is to be held against it. */
  public List<Integer> candidates(String line) {
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = BUFFERS.get();
    if (buffer.capacity() < bytes.length) {
      buffer = ByteBuffer.allocateDirect(bytes.length);
      BUFFERS.set(buffer);
    }
    buffer.put(0, bytes);
    TreeSet<Integer> found = new TreeSet<>();
    compiled().scan(buffer, 0, bytes.length, (id, end) -> found.add(id));
    return found.isEmpty() ? List.of() : List.copyOf(found);
  }

  private synchronized PatternSet compiled() {
    PatternSet known = compiled.orElseGet(() -> PatternSets.of(expressions));
    compiled = Optional.of(known);
    return known;
  }
}
