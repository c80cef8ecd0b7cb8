package io.nightsweep.report;

import io.nightsweep.sweep.ConfigTag;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The subject of a question: a trial, an attempt, a profile or a wave, with all its names. */
public final class Subject {
  private final Set<String> names;
  private final Pattern pattern;

  private Subject(Set<String> names) {
    this.names = names;
    pattern =
        Pattern.compile(
            "(?<![\\w.+-])("
                + names.stream().map(Pattern::quote).collect(Collectors.joining("|"))
                + ")(a\\d+)?(?![\\w+-]|\\.\\w)");
  }

  public static Subject everything() {
    return new Subject(Set.of());
  }

  /** A profile includes its trials, and a trial its attempts. */
  public static Subject of(SweepState s, String name) {
    Stream<String> trials =
        s.trials().values().stream()
            .filter(t -> t.trial().profile().equals(name))
            .map(TrialState::trial)
            .map(t -> t.id().toString());
    return new Subject(Stream.concat(Stream.of(name), trials).collect(Collectors.toSet()));
  }

  /** Whether the sweep has anything of this name. */
  public static boolean isKnown(SweepState s, String name) {
    return names(s).contains(name)
        || s.attempts().anyMatch(a -> a.id().toString().equals(name))
        || s.trials().keySet().stream().anyMatch(id -> id.toString().equals(name));
  }

  /** The names that people type, possibly wrong: profiles, waves and config tags. */
  public static List<String> names(SweepState s) {
    return Stream.of(
            s.profileOrder().stream(),
            s.waves().stream().map(w -> w.wave().name()),
            s.spec().configTags().stream().map(ConfigTag::name))
        .flatMap(names -> names)
        .toList();
  }

  public boolean isIn(String words) {
    // A plain search is faster than the pattern, and most lines contain none of the names.
    return names.isEmpty()
        || (names.stream().anyMatch(words::contains) && pattern.matcher(words).find());
  }
}
