package io.nightsweep.workload;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The values for a starting sweep file.
 *
 * @param values by the name of their place in the template
 * @param problems found on the way; with a fatal one no file can be written
 */
public record StartingValues(
    SortedMap<String, String> values, List<Workload.SetupProblem> problems) {
  /** No values and no problems. */
  public static final StartingValues NONE = new StartingValues(new TreeMap<>(), List.of());

  public StartingValues {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    problems = List.copyOf(problems);
  }
}
