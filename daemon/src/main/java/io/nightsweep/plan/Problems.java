package io.nightsweep.plan;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** Collects all problems before anything fails, so that a user can correct a file in one pass. */
final class Problems {
  private final SequencedSet<Problem> found = new LinkedHashSet<>();

  void add(Problem problem) {
    found.add(problem);
  }

  void add(Place place, String what, String expected) {
    add(Problem.of(place, what, expected));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<Problem> all() {
    return new ArrayList<>(found);
  }

  void throwIfAny() throws InvalidInputException {
    if (!found.isEmpty()) {
      throw new InvalidInputException(all());
    }
  }
}
