package io.nightsweep.engine;

import io.nightsweep.sweep.Decision;
import java.time.Instant;

/**
 * Keeps the grounds of every decision for {@code nightsweep explain}; if they are lost, no work is
 * lost.
 */
public interface DecisionLog {
  /**
   * @param seq the last event before the decision
   */
  void add(long seq, Instant at, Decision decision);
}
