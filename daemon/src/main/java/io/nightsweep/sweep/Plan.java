package io.nightsweep.sweep;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The ordered waves, with the conditions on the cell already resolved.
 *
 * @param template the name of its template, or {@code sweep.yaml}
 * @param notApplicable waves of the template that do not apply to this cell, each with its reason
 * @param candidates what the catalogs know about profiles, by profile name; some profiles come from
 *     no catalog
 * @param alternatives the same plan with another axis of the parallelism as the dominant one
 */
public record Plan(
    String template,
    List<Wave> waves,
    List<NotApplicable> notApplicable,
    SortedMap<String, Candidate> candidates,
    List<Alternative> alternatives) {

  public record NotApplicable(String wave, Statement reason) {}

  /**
   * @param catalog its name
   * @param entry the id of its entry
   * @param mechanisms what must occur in the HLO or the log for the profile to matter
   */
  public record Candidate(String catalog, String entry, List<String> mechanisms) {
    public Candidate {
      mechanisms = List.copyOf(mechanisms);
    }
  }

  /**
   * @param waves in full
   * @param profiles that the waves name, baselines included
   */
  public record Alternative(
      String axis,
      List<Wave> waves,
      List<Profile> profiles,
      SortedMap<String, Candidate> candidates) {
    public Alternative {
      waves = List.copyOf(waves);
      profiles = List.copyOf(profiles);
      candidates = Collections.unmodifiableSortedMap(new TreeMap<>(candidates));
    }
  }

  /** A plan with profiles that come from no catalog. */
  public Plan(String template, List<Wave> waves, List<NotApplicable> notApplicable) {
    this(template, waves, notApplicable, new TreeMap<>(), List.of());
  }

  /** This plan with its waves, and those of each alternative, changed. */
  public Plan withWaves(UnaryOperator<List<Wave>> change) {
    return new Plan(
        template,
        change.apply(waves),
        notApplicable,
        candidates,
        alternatives.stream()
            .map(
                a ->
                    new Alternative(
                        a.axis(), change.apply(a.waves()), a.profiles(), a.candidates()))
            .toList());
  }

  /** This plan with one more wave that does not apply to this cell. */
  public Plan with(NotApplicable wave) {
    return new Plan(
        template,
        waves,
        Stream.concat(notApplicable.stream(), Stream.of(wave)).toList(),
        candidates,
        alternatives);
  }

  public boolean has(Wave.Kind kind) {
    return waves.stream().anyMatch(w -> w.kind() == kind);
  }

  /** Whether the nodes are checked, and watched while jobs run on them. */
  public boolean checksNodes() {
    return has(Wave.Kind.NODE_GATE);
  }

  public Plan {
    waves = List.copyOf(waves);
    notApplicable = List.copyOf(notApplicable);
    candidates = Collections.unmodifiableSortedMap(new TreeMap<>(candidates));
    alternatives = List.copyOf(alternatives);
  }
}
