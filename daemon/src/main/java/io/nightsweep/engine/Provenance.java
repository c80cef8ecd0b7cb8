package io.nightsweep.engine;

import io.nightsweep.sweep.Fact;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * The software that a sweep's jobs run with. The first job that tells a version settles it: runs
 * with another one do not compare.
 */
final class Provenance {
  private List<Fact> inventory;
  private boolean learned;

  Provenance(List<Fact> inventory) {
    this.inventory = List.copyOf(inventory);
  }

  /** Takes in what a job tells; says where it contradicts what is known. */
  Optional<String> take(SortedMap<String, String> told) {
    Map<String, String> known =
        inventory.stream().collect(Collectors.toMap(Fact::name, Fact::value, (a, b) -> a));
    List<Fact> all = new ArrayList<>(inventory);
    List<String> different = new ArrayList<>();
    told.forEach(
        (name, value) -> {
          String before = known.get(name);
          if (before == null) {
            all.add(new Fact(name, value, true));
          } else if (!before.equals(value)) {
            different.add(name + " " + value + " instead of " + before);
          }
        });
    if (different.isEmpty() && all.size() > inventory.size()) {
      inventory = List.copyOf(all);
      learned = true;
    }
    return different.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the job ran with "
                + String.join(", ", different)
                + ": what the sweep began with must be restored, or a new sweep started");
  }

  /** The whole inventory, where a job has told something new. */
  Optional<List<Fact>> changed() {
    return learned ? Optional.of(inventory) : Optional.empty();
  }
}
