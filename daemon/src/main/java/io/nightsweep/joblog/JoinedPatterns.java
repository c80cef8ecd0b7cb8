package io.nightsweep.joblog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** The pattern sets of several listeners, of which the small ones are searched for in one pass. */
final class JoinedPatterns {
  /** The low bits of a joined number are the pattern's number in its set, the high bits its set. */
  static final int PATTERN_BITS = 24;

  /** Sets of at most this many patterns compile in milliseconds, so they may change often. */
  private static final int MOST_SMALL = 64;

  private final List<PatternSet> sets;
  private final List<Numbered> passes = new ArrayList<>();

  private record Numbered(PatternSet patterns, int first) {}

  JoinedPatterns(List<PatternSet> sets) {
    this.sets = sets;
    TreeMap<Integer, String> small = new TreeMap<>();
    for (int i = 0; i < sets.size(); i++) {
      PatternSet set = sets.get(i);
      int first = i << PATTERN_BITS;
      SortedMap<Integer, String> expressions = set.expressions();
      if (!expressions.isEmpty() && expressions.size() <= MOST_SMALL) {
        expressions.forEach((id, expression) -> small.put(first | id, expression));
      } else if (set != PatternSet.NONE) {
        passes.add(new Numbered(set, first));
      }
    }
    passes.add(new Numbered(PatternSets.of(small), 0));
  }

  boolean areOf(List<PatternSet> others) {
    return sets.equals(others);
  }

  /** Searches for all patterns, and reports each by its joined number. */
  void scan(ByteBuffer buffer, int from, int length, PatternSet.Found found) {
    for (Numbered pass : passes) {
      int first = pass.first;
      pass.patterns.scan(buffer, from, length, (id, end) -> found.at(first | id, end));
    }
  }
}
