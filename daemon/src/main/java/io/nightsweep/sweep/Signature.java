package io.nightsweep.sweep;

import java.util.List;

/**
 * Holds when all of its clues do.
 *
 * @param confidence 0 to 1: how sure the class is then
 * @param echo whether it only tells that something failed elsewhere: it never wins over a cause
 */
public record Signature(double confidence, boolean echo, List<Clue> clues) {
  public Signature {
    clues = List.copyOf(clues);
  }

  /** A signature of a cause. */
  public Signature(double confidence, List<Clue> clues) {
    this(confidence, false, clues);
  }
}
