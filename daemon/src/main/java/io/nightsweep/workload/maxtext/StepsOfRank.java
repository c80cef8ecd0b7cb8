package io.nightsweep.workload.maxtext;

import java.util.Collections;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The steps that one process printed. A training that starts again within its job repeats steps
 * with other figures: those of its later life count, from its first step on.
 */
final class StepsOfRank {
  /** Two writers of one log print out of order by a step; a later life begins further back. */
  private static final int DISORDER = 1;

  private final NavigableMap<Integer, StepLine> steps = new TreeMap<>();
  private final Set<Integer> ofThisLife = new HashSet<>();
  private int latest = -1;

  /**
   * Of a step that is printed twice within a life the first counts.
   *
   * @return whether one more is held
   */
  boolean add(StepLine step) {
    StepLine known = steps.get(step.step());
    if (known != null && step.step() < latest - DISORDER && !known.equals(step)) {
      ofThisLife.clear();
    }
    if (ofThisLife.add(step.step())) {
      steps.put(step.step(), step);
    }
    latest = step.step();
    return known == null;
  }

  NavigableMap<Integer, StepLine> steps() {
    return Collections.unmodifiableNavigableMap(steps);
  }
}
