package io.nightsweep.workload;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a starting sweep file is filled in with.
 *
 * @param values by the name that the template gives the place
 * @param problems found on the way; with a fatal one no file can be written
 */
public record StartingValues(
    SortedMap<String, String> values, List<Workload.SetupProblem> problems) {
  /** No values to fill in, and no faults. */
  public static final StartingValues NONE = new StartingValues(new TreeMap<>(), List.of());

  public StartingValues {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    problems = List.copyOf(problems);
  }
}
