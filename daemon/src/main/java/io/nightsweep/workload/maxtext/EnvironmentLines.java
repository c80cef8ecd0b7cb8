package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.Line;
import io.nightsweep.joblog.Rank;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The environments that ranks print, of which some variables are wanted. */
final class EnvironmentLines {
  private final TreeMap<String, String> names = new TreeMap<>();
  private final NavigableMap<Rank, SortedMap<String, String>> seen = new TreeMap<>();

  EnvironmentLines(Set<String> variables) {
    variables.forEach(name -> names.put(name + "=", name));
  }

  /** A line without any of these words does not tell the environment. */
  Collection<String> words() {
    return Collections.unmodifiableSet(names.keySet());
  }

  /** {@code 3: NAME=value} as {@code printenv} prints it, and no other line that names it. */
  void accept(Line line) {
    names.forEach(
        (word, name) -> {
          if (line.body().startsWith(word)) {
            seen.computeIfAbsent(line.rank(), r -> new TreeMap<>())
                .put(name, line.body().substring(word.length()));
          }
        });
  }

  /** One for each rank or actor, with the wanted variables that it has. */
  List<SortedMap<String, String>> environments() {
    return List.copyOf(seen.values());
  }
}
