package io.nightsweep.workload.maxtext;

import io.nightsweep.files.Masking;
import io.nightsweep.joblog.Line;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads what software a job's ranks report. */
final class ProvenanceLines {
  private static final int MOST_NAMES = 20;
  private static final int MOST_VALUES = 20;
  private static final int LONGEST = 200;

  private final TreeMap<String, TreeSet<String>> seen = new TreeMap<>();

  /**
   * Accepts a line only if it begins with the prefix: a log can also contain the script that prints
   * it.
   */
  void accept(Line line) {
    boolean isSaid = line.body().startsWith(InstalledMaxText.PROVENANCE);
    String fact = isSaid ? line.body().substring(InstalledMaxText.PROVENANCE.length()) : "";
    int equals = fact.indexOf('=');
    // On a CPU, XLA's answer is the name of its platform instead of a version.
    boolean isVersion = !fact.startsWith("XLA=") || fact.matches(".*[0-9].*");
    if (equals > 0
        && isVersion
        && (seen.size() < MOST_NAMES || seen.containsKey(fact.substring(0, equals)))) {
      // Secrets are masked before the text is cut, since no pattern recognises a secret that is cut
      // off.
      String value = Masking.of(fact.substring(equals + 1).strip());
      TreeSet<String> values =
          seen.computeIfAbsent(fact.substring(0, equals), name -> new TreeSet<>());
      if (values.size() < MOST_VALUES) {
        values.add(value.substring(0, Math.min(value.length(), LONGEST)));
      }
    }
  }

  /** The ranks' reports by name; where they differ, all of them. */
  SortedMap<String, String> byName() {
    TreeMap<String, String> facts = new TreeMap<>();
    seen.forEach((name, values) -> facts.put(name, String.join(" and ", values)));
    return facts;
  }
}
