package io.nightsweep.plan;

import io.nightsweep.files.Masking;
import io.nightsweep.workload.SettingProblem;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One problem of an input.
 *
 * @param found what the input has, as a sentence's beginning
 * @param expected what it should have, or an empty text
 * @param nearest the valid name that was probably meant
 */
public record Problem(Place place, String found, String expected, Optional<String> nearest)
    implements Comparable<Problem> {
  private static final int NAMES_SHOWN = 40;
  private static final Comparator<Problem> ORDER =
      Comparator.<Problem, String>comparing(p -> p.place().file())
          .thenComparingInt(p -> p.place().line())
          .thenComparingInt(p -> p.place().column())
          .thenComparing(Problem::found);

  /** Masks secrets: any text of a file may be one, and problems are printed and logged. */
  public Problem {
    found = Masking.of(found);
  }

  static Problem of(Place place, String found, String expected) {
    return new Problem(place, found, expected, Optional.empty());
  }

  /** A workload's problem with settings below {@code root}. */
  static Problem of(Yaml.Mapping root, SettingProblem problem) {
    Place place = root.placeAt(problem.path(), problem.atKey());
    return switch (problem) {
      case SettingProblem.Unknown u -> unknown(place, u.what(), u.name(), u.valid());
      case SettingProblem.Unfit u -> of(place, u.found(), u.expected());
    };
  }

  /** A name that is not among the valid ones. */
  static Problem unknown(Place place, String what, String name, Collection<String> valid) {
    String expected =
        valid.isEmpty()
            ? "there is none to choose from"
            : "expected one of "
                + valid.stream().limit(NAMES_SHOWN).collect(Collectors.joining(", "))
                + (valid.size() > NAMES_SHOWN ? ", ..." : "");
    return new Problem(
        place, "unknown " + what + " '" + name + "'", expected, Nearest.to(name, valid));
  }

  @Override
  public int compareTo(Problem other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return place
        + ": "
        + found
        + (expected.isEmpty() ? "" : "; " + expected)
        + nearest.map(Nearest::question).orElse("");
  }
}
