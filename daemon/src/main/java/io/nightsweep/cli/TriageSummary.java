package io.nightsweep.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The answers about several logs in one table: how many got each, and the first of them. */
final class TriageSummary {
  private final Map<String, List<GivenLog>> logs = new LinkedHashMap<>();

  void add(String answer, GivenLog log) {
    logs.computeIfAbsent(answer, k -> new ArrayList<>()).add(log);
  }

  void print(PrintWriter out) {
    out.printf("%n%-24s %6s  first%n", "class", "logs");
    logs.entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<String, List<GivenLog>>>comparingInt(e -> -e.getValue().size())
                .thenComparing(Map.Entry::getKey))
        .forEach(
            e ->
                out.printf(
                    "  %-22s %6d  %s%n",
                    e.getKey(), e.getValue().size(), e.getValue().getFirst().name()));
    out.printf("  %-22s %6d%n", "all", logs.values().stream().mapToInt(List::size).sum());
  }
}
