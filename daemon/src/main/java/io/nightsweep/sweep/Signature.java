package io.nightsweep.sweep;

import java.util.List;

/**
 * A signature holds if all of its clues hold.
 *
 * @param confidence 0 to 1: how certain the class is then
 * @param echo whether it only shows that something failed elsewhere; it never outranks a cause
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
