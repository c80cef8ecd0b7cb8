package io.nightsweep.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How failures are recognised in a sweep, and the remedies by failure class.
 *
 * @param otherwise for a class that has no remedy of its own
 * @param stop when failures together halt the sweep
 */
public record Playbook(
    String name,
    SortedMap<String, Remedy> remedies,
    Remedy otherwise,
    Recognition recognition,
    StopTriggers stop) {
  /** A name that is believed less than this is a likely one. */
  public static final double SURE = 0.7;

  public Playbook {
    remedies = Collections.unmodifiableSortedMap(new TreeMap<>(remedies));
  }

  /** Remedies alone, for what recognises failures by itself. */
  public Playbook(String name, SortedMap<String, Remedy> remedies, Remedy otherwise) {
    this(name, remedies, otherwise, Recognition.NONE, StopTriggers.DEFAULT);
  }

  public Playbook(
      String name, SortedMap<String, Remedy> remedies, Remedy otherwise, Recognition recognition) {
    this(name, remedies, otherwise, recognition, StopTriggers.DEFAULT);
  }

  public Remedy remedyFor(String failureClass) {
    return remedies.getOrDefault(failureClass, otherwise);
  }

  /**
   * A likely name may be wrong: what follows it halts no sweep, touches no node and drops no
   * profile without a second run. Instead that follows which follows a failure without a name.
   */
  public Remedy remedyFor(Diagnosis diagnosis) {
    return isHeldBack(diagnosis)
        ? remedyFor(KnownClasses.UNCLASSIFIED)
        : remedyFor(diagnosis.failureClass());
  }

  /** Whether what the class calls for is too much for a name that is only likely. */
  public boolean isHeldBack(Diagnosis diagnosis) {
    boolean isLikely = diagnosis.confidence() < SURE && !diagnosis.quotes().isEmpty();
    Remedy remedy = remedyFor(diagnosis.failureClass());
    return isLikely && (remedy.mayCostTheNight() || remedy.dropsAtOnce());
  }
}
