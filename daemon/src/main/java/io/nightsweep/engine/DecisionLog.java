package io.nightsweep.engine;

import io.nightsweep.sweep.Decision;
import java.time.Instant;

/**
 * Keeps the grounds of every decision for {@code nightsweep explain}; losing them loses no work.
 */
public interface DecisionLog {
  /**
   * @param seq the last event that the decision rests on
   */
  void add(long seq, Instant at, Decision decision);
}
