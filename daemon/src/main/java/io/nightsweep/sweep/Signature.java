package io.nightsweep.sweep;

import java.util.List;

/**
 * Holds when all of its clues do.
 *
 * @param confidence 0 to 1: how sure the class is then
 */
public record Signature(double confidence, List<Clue> clues) {
  public Signature {
    clues = List.copyOf(clues);
  }
}
