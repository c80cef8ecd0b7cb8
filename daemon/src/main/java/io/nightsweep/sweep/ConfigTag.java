package io.nightsweep.sweep;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A variant of the model's configuration that must be compared within the cell.
 *
 * @param name such as {@code sparse}
 * @param overrides workload settings that select the variant
 */
public record ConfigTag(String name, SortedMap<String, String> overrides) {
  public ConfigTag {
    overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
  }
}
