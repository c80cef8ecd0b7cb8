package io.nightsweep.workload;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * A workload's settings as written in a sweep file.
 *
 * @param own those of the whole sweep, {@code kind} included
 * @param variants those of each config tag, then those of each profile
 */
public record SweepSettings(Section own, List<Section> variants) {
  public SweepSettings {
    variants = List.copyOf(variants);
  }

  /**
   * One mapping of the file.
   *
   * @param path its keys from the file's root
   * @param values by key; empty where the value is a list or a mapping
   */
  public record Section(List<String> path, SequencedMap<String, Optional<String>> values) {
    public Section {
      path = List.copyOf(path);
      values = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(values));
    }

    /** A key's text; empty where it is absent, a list or a mapping. */
    public Optional<String> text(String key) {
      return values.getOrDefault(key, Optional.empty());
    }

    /** The path of one of the keys. */
    public List<String> path(String key) {
      List<String> whole = new ArrayList<>(path);
      whole.add(key);
      return whole;
    }
  }
}
