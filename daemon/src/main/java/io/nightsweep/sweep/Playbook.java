package io.nightsweep.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How failures are recognised in a sweep, and the remedies by failure class.
 *
 * @param otherwise for a class that has no remedy of its own
 */
public record Playbook(
    String name, SortedMap<String, Remedy> remedies, Remedy otherwise, Recognition recognition) {
  public Playbook {
    remedies = Collections.unmodifiableSortedMap(new TreeMap<>(remedies));
  }

  /** Remedies alone, for what recognises failures by itself. */
  public Playbook(String name, SortedMap<String, Remedy> remedies, Remedy otherwise) {
    this(name, remedies, otherwise, Recognition.NONE);
  }

  public Remedy remedyFor(String failureClass) {
    return remedies.getOrDefault(failureClass, otherwise);
  }
}
