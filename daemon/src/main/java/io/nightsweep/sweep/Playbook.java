package io.nightsweep.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The remedies of a sweep by failure class.
 *
 * @param otherwise for a class that has none of its own
 */
public record Playbook(String name, SortedMap<String, Remedy> remedies, Remedy otherwise) {
  public Playbook {
    remedies = Collections.unmodifiableSortedMap(new TreeMap<>(remedies));
  }

  public Remedy remedyFor(String failureClass) {
    return remedies.getOrDefault(failureClass, otherwise);
  }
}
