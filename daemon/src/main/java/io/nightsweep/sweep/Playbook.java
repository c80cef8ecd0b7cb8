package io.nightsweep.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How failures are recognised in a sweep, and the remedies by failure class.
 *
 * @param otherwise for a class without a remedy
 * @param stop when several failures together halt the sweep
 */
public record Playbook(
    String name,
    SortedMap<String, Remedy> remedies,
    Remedy otherwise,
    Recognition recognition,
    StopTriggers stop) {
  /** A diagnosis with a lower confidence is only likely. */
  public static final double SURE = 0.7;

  public Playbook {
    remedies = Collections.unmodifiableSortedMap(new TreeMap<>(remedies));
  }

  /** A playbook of remedies alone, for a source that recognises failures itself. */
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
   * The remedy for a diagnosis. A likely diagnosis may be wrong, so it must not halt the sweep,
   * touch a node or drop a profile without a second run; the remedy for unclassified failures then
   * applies instead.
   */
  public Remedy remedyFor(Diagnosis diagnosis) {
    return isHeldBack(diagnosis)
        ? remedyFor(KnownClasses.UNCLASSIFIED)
        : remedyFor(diagnosis.failureClass());
  }

  /** Whether the remedy of the class is too drastic for a diagnosis that is only likely. */
  public boolean isHeldBack(Diagnosis diagnosis) {
    boolean isLikely = diagnosis.confidence() < SURE && !diagnosis.quotes().isEmpty();
    Remedy remedy = remedyFor(diagnosis.failureClass());
    return isLikely && (remedy.mayCostTheNight() || remedy.dropsAtOnce());
  }
}
