package io.nightsweep.workload.maxtext;

import io.nightsweep.files.Masking;
import io.nightsweep.joblog.Line;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** The software that a job's ranks say they run with. */
final class ProvenanceLines {
  private static final int MOST_NAMES = 20;
  private static final int MOST_VALUES = 20;
  private static final int LONGEST = 200;

  private final TreeMap<String, TreeSet<String>> seen = new TreeMap<>();

  /** Only where a rank says it: a log can hold the script that prints it as well. */
  void accept(Line line) {
    boolean isSaid = line.body().startsWith(InstalledMaxText.PROVENANCE);
    String fact = isSaid ? line.body().substring(InstalledMaxText.PROVENANCE.length()) : "";
    int equals = fact.indexOf('=');
    // XLA's answer on a CPU is its platform's name, which is no version.
    boolean isVersion = !fact.startsWith("XLA=") || fact.matches(".*[0-9].*");
    if (equals > 0
        && isVersion
        && (seen.size() < MOST_NAMES || seen.containsKey(fact.substring(0, equals)))) {
      // The text is masked before it is cut: no pattern matches a secret of which a part is
      // missing.
      String value = Masking.of(fact.substring(equals + 1).strip());
      TreeSet<String> values =
          seen.computeIfAbsent(fact.substring(0, equals), name -> new TreeSet<>());
      if (values.size() < MOST_VALUES) {
        values.add(value.substring(0, Math.min(value.length(), LONGEST)));
      }
    }
  }

  /** What ranks say, by name; where they differ, everything that they say. */
  SortedMap<String, String> byName() {
    TreeMap<String, String> facts = new TreeMap<>();
    seen.forEach((name, values) -> facts.put(name, String.join(" and ", values)));
    return facts;
  }
}
