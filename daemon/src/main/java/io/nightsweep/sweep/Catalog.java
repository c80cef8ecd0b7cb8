package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Settings worth trying, with what is known of them. */
public record Catalog(String name, String about, List<CatalogEntry> entries) {

  /**
   * One setting.
   *
   * @param id short and unique in its catalog
   * @param target what it sets
   * @param setting its full name
   * @param defaultValue what holds where nobody sets it, where that is known
   * @param candidates a profile for each value worth trying
   * @param expectations by axis of the parallelism; {@link #ANY_AXIS} for all
   * @param mechanisms what must be seen in the HLO or the log for it to matter; empty: nothing
   * @param versions those that have it, or empty
   * @param conflicts ids of entries that must not be stacked with it
   * @param needs workload settings that make it relevant, each with the values that do
   * @param passesOnly whether the compiler reads it in passes over the HLO alone: where the
   *     optimised HLO is the same with and without it, it does nothing
   * @param proposable within which a program may propose other values than the candidates'; absent
   *     where those alone are offered
   */
  public record CatalogEntry(
      String id,
      Target target,
      String setting,
      Type type,
      Optional<String> defaultValue,
      List<Profile> candidates,
      SortedMap<String, Expectation> expectations,
      List<String> mechanisms,
      List<Risk> risks,
      String versions,
      List<String> conflicts,
      SortedMap<String, List<String>> needs,
      boolean passesOnly,
      Optional<ProposableRange> proposable,
      String about) {
    public CatalogEntry {
      candidates = List.copyOf(candidates);
      expectations = Collections.unmodifiableSortedMap(new TreeMap<>(expectations));
      mechanisms = List.copyOf(mechanisms);
      risks = List.copyOf(risks);
      conflicts = List.copyOf(conflicts);
      needs = Collections.unmodifiableSortedMap(new TreeMap<>(needs));
    }

    /** The same with those of its candidates only. */
    public CatalogEntry having(Predicate<Profile> wanted) {
      return new CatalogEntry(
          id,
          target,
          setting,
          type,
          defaultValue,
          candidates.stream().filter(wanted).toList(),
          expectations,
          mechanisms,
          risks,
          versions,
          conflicts,
          needs,
          passesOnly,
          proposable,
          about);
    }

    /** What is expected on an axis; empty where the setting does not apply to it. */
    public Optional<Expectation> on(String axis) {
      return Optional.ofNullable(expectations.get(axis))
          .or(() -> Optional.ofNullable(expectations.get(ANY_AXIS)));
    }

    /** Whether no setting of the workload rules the entry out. */
    public boolean isRelevantTo(Map<String, String> workloadSettings) {
      return needs.entrySet().stream()
          .allMatch(
              need -> {
                String value = workloadSettings.get(need.getKey());
                return value == null
                    || List.of(value.split(",", -1)).stream()
                        .map(String::strip)
                        .anyMatch(need.getValue()::contains);
              });
    }
  }

  /** A range of values that includes both ends. */
  public record ProposableRange(double from, double to) {
    public boolean holds(double value) {
      return value >= from && value <= to;
    }
  }

  public static final String ANY_AXIS = "any";

  public enum Target {
    FLAG,
    ENV,
    OVERRIDE
  }

  public enum Type {
    BOOLEAN,
    INTEGER,
    NUMBER,
    BYTES,
    CHOICE,
    TEXT
  }

  public enum Risk {
    OOM,
    HANG,
    INIT_FLAKE,
    UNKNOWN_FLAG,
    WRONG_RESULTS,
    SLOW_COMPILE,
    CONTENTION
  }

  /** In the order in which candidates are tried. */
  public enum Sign {
    POSITIVE,
    MIXED,
    UNKNOWN,
    NEUTRAL,
    NEGATIVE
  }

  /**
   * @param why one sentence
   */
  public record Expectation(Sign sign, String why) {}

  public Catalog {
    entries = List.copyOf(entries);
  }
}
