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
}
