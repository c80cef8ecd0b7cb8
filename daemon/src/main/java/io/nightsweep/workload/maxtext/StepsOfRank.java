package io.nightsweep.workload.maxtext;

import java.util.Collections;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * The steps that one process printed. A training that restarts within its job repeats steps with
 * other figures; from its first step on, the restarted training's count.
 */
final class StepsOfRank {
  /** Two writers of one log may be out of order by one step; a restart goes back further. */
  private static final int DISORDER = 1;

  private final NavigableMap<Integer, StepLine> steps = new TreeMap<>();
  private final Set<Integer> ofThisLife = new HashSet<>();
  private int latest = -1;

  /**
   * Adds a step; if one is printed twice without a restart, the first counts.
   *
   * @return whether the number of steps grew
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
