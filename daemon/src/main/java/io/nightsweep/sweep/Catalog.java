package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Settings worth trying, with what is known about them. */
public record Catalog(String name, String about, List<CatalogEntry> entries) {

  /**
   * One setting.
   *
   * @param id short and unique in its catalog
   * @param target what it sets
   * @param setting its full name
   * @param defaultValue the value if nobody sets it, as far as known
   * @param candidates a profile for each value worth trying
   * @param expectations by axis of the parallelism; {@link #ANY_AXIS} for all
   * @param mechanisms what must occur in the HLO or the log for the setting to matter; empty if
   *     there is no condition
   * @param versions that have the setting, or empty
   * @param conflicts ids of entries that must not be stacked with it
   * @param needs workload settings that make it relevant, each with the relevant values
   * @param passesOnly whether the compiler reads it only in passes over the HLO; then it does
   *     nothing if the optimised HLO is the same with and without it
   * @param proposable range in which a program may propose values other than the candidates';
   *     absent if only the candidates are offered
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

    /** This entry with only the wanted candidates. */
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

    /** The expectation for an axis; empty if the setting does not apply to the axis. */
    public Optional<Expectation> on(String axis) {
      return Optional.ofNullable(expectations.get(axis))
          .or(() -> Optional.ofNullable(expectations.get(ANY_AXIS)));
    }

    /** Whether the workload's settings leave the entry relevant. */
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

  /** Candidates are tried in this order. */
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
