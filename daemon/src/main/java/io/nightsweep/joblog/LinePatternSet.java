package io.nightsweep.joblog;

import java.nio.ByteBuffer;

/**
 * Finds every line, for a listener with expressions that no engine supports; its only pattern is 0.
 */
public final class LinePatternSet implements PatternSet {
  @Override
  public void scan(ByteBuffer buffer, int from, int length, Found found) {
    int start = 0;
    for (int at = 0; at < length; at++) {
      if (buffer.get(from + at) == '\n') {
        found.at(0, at + 1);
        start = at + 1;
      }
    }
    if (start < length) {
      found.at(0, length);
    }
  }
}
