package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the wanted variables from the environments that ranks print. */
final class EnvironmentLines {
  /** At most this many ranks' environments are stored and compared. */
  private static final int MOST_RANKS = 4096;

  /** Limit on characters of distinct values; ranks with the same value share one text. */
  private static final int MOST_CHARACTERS = 4 << 20;

  private final TreeMap<String, String> names = new TreeMap<>();
  private final NavigableMap<Rank, SortedMap<String, String>> seen = new TreeMap<>();
  private final Map<String, String> values = new HashMap<>();
  private int characters;

  EnvironmentLines(Set<String> variables) {
    variables.forEach(name -> names.put(name + "=", name));
  }

  /** Only a line with one of these words can show the environment. */
  Collection<String> words() {
    return Collections.unmodifiableSet(names.keySet());
  }

  /**
   * Accepts {@code 3: NAME=value} as printed by {@code printenv}, and no other line with the name.
   */
  void accept(Line line) {
    names.forEach(
        (word, name) -> {
          if (line.body().startsWith(word)) {
            put(line.rank(), name, line.body().substring(word.length()));
          }
        });
  }

  private void put(Rank rank, String name, String value) {
    if (seen.size() >= MOST_RANKS && !seen.containsKey(rank)) {
      return;
    }
    if (!values.containsKey(value)) {
      characters += value.length();
    }
    if (characters <= MOST_CHARACTERS) {
      seen.computeIfAbsent(rank, r -> new TreeMap<>())
          .put(name, values.computeIfAbsent(value, v -> v));
    }
  }

  /** The wanted variables of each rank or actor. */
  List<SortedMap<String, String>> environments() {
    return List.copyOf(seen.values());
  }
}
