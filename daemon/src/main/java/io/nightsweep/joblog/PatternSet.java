package io.nightsweep.joblog;

import java.nio.ByteBuffer;

/** Many patterns looked for at once. */
public interface PatternSet {
  /** Finds nothing. */
  PatternSet NONE = (buffer, from, length, found) -> {};

  /** Takes what was found. Every place where a pattern's match may end is told, in any order. */
  interface Found {
    /**
     * @param pattern its number
     * @param end the offset after the match's last byte, from the scanned range's start
     */
    void at(int pattern, int end);
  }

  /** May find a pattern where it is not, never the reverse: each line is held against it again. */
  void scan(ByteBuffer buffer, int from, int length, Found found);
}
