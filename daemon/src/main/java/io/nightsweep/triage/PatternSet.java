package io.nightsweep.triage;

import java.nio.ByteBuffer;

/** Many patterns looked for at once. */
interface PatternSet {
  /** Takes what was found. Every place where a pattern's match may end is told, in any order. */
  interface Found {
    /**
     * @param pattern its index
     * @param end the offset after the match's last byte, from the scanned range's start
     */
    void at(int pattern, int end);
  }

  /** Says more than there is, never less: each line is held against the pattern again. */
  void scan(ByteBuffer buffer, int from, int length, Found found);
}
