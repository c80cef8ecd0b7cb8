package io.nightsweep.joblog;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.SortedMap;

/** Searches for many patterns at once. */
public interface PatternSet {
  /** Finds nothing. */
  PatternSet NONE = (buffer, from, length, found) -> {};

  /** Receives the matches. Every position at which a match may end is reported, in any order. */
  interface Found {
    /**
     * @param pattern its number
     * @param end the offset after the match's last byte, from the scanned range's start
     */
    void at(int pattern, int end);
  }

  /**
   * The patterns in RE2 syntax, by number, so that they can be joined with others; empty if they
   * have no such form.
   */
  default SortedMap<Integer, String> expressions() {
    return Collections.emptySortedMap();
  }

  /** May report false matches but never misses one; callers check each line again. */
  void scan(ByteBuffer buffer, int from, int length, Found found);
}
