package io.nightsweep.judging;

import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The software of a sweep's jobs. The first job that reports a version fixes it: runs with another
 * version cannot be compared.
 */
public record Provenance(List<Fact> inventory) {
  public Provenance {
    inventory = List.copyOf(inventory);
  }

  /** How a job's software differs from the known one, and what to do about it. */
  public Optional<Statement> contradiction(SortedMap<String, String> told) {
    Map<String, String> known = known();
    List<Statement> different =
        told.entrySet().stream()
            .filter(e -> !e.getValue().equals(known.getOrDefault(e.getKey(), e.getValue())))
            .map(
                e ->
                    Statement.phrase(
                        "instead-of",
                        e.getKey() + " " + e.getValue(),
                        String.valueOf(known.get(e.getKey()))))
            .toList();
    return different.isEmpty()
        ? Optional.empty()
        : Optional.of(Statement.phrase("ran-with", Statement.row(", ", different)));
  }

  /** The facts, plus those that a job reports for the first time. */
  public Provenance with(SortedMap<String, String> told) {
    Map<String, String> known = known();
    List<Fact> all = new ArrayList<>(inventory);
    told.forEach(
        (name, value) -> {
          if (!known.containsKey(name)) {
            all.add(new Fact(name, value, true));
          }
        });
    return new Provenance(all);
  }

  private Map<String, String> known() {
    return inventory.stream().collect(Collectors.toMap(Fact::name, Fact::value, (a, b) -> a));
  }
}
