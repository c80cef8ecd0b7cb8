package io.nightsweep.workload.maxtext;

import io.nightsweep.workload.maxtext.Line.Head;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The environments that ranks print, of which some variables are wanted. */
final class EnvironmentLines {
  /** No rank's or actor's name is longer. */
  private static final int LONGEST_HEAD = 300;

  private final TreeMap<String, String> names = new TreeMap<>();
  private final NavigableMap<Source, SortedMap<String, String>> seen = new TreeMap<>();

  EnvironmentLines(Set<String> variables) {
    variables.forEach(name -> names.put(name + "=", name));
  }

  /** A line that has none of them says nothing of the environment. */
  Collection<String> words() {
    return Collections.unmodifiableSet(names.keySet());
  }

  /** {@code 3: NAME=value} as {@code printenv} prints it, and no other line that names it. */
  void accept(int file, String line) {
    names.forEach(
        (word, name) -> {
          int at = line.indexOf(word);
          if (at >= 0 && at <= LONGEST_HEAD) {
            Head head = Line.head(line.substring(0, at));
            if (head.rest().isEmpty()) {
              seen.computeIfAbsent(Source.of(file, head), s -> new TreeMap<>())
                  .put(name, Line.withoutAnsi(decoded(line.substring(at + word.length()))));
            }
          }
        });
  }

  /** One for each rank or actor, with the wanted variables that it has. */
  List<SortedMap<String, String>> environments() {
    return List.copyOf(seen.values());
  }

  private static String decoded(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
