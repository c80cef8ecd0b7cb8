package io.nightsweep.report;

import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What somebody asks about: a trial, an attempt, a profile or a wave, by every name it has. */
public final class Subject {
  private final Optional<Pattern> names;

  private Subject(Optional<Pattern> names) {
    this.names = names;
  }

  public static Subject everything() {
    return new Subject(Optional.empty());
  }

  /** A profile is meant with its trials; a trial with its attempts. */
  public static Subject of(SweepState s, String name) {
    Stream<String> trials =
        s.trials().values().stream()
            .filter(t -> t.trial().profile().equals(name))
            .map(TrialState::trial)
            .map(t -> t.id().toString());
    String names =
        Stream.concat(Stream.of(name), trials).map(Pattern::quote).collect(Collectors.joining("|"));
    return new Subject(
        Optional.of(Pattern.compile("(?<![\\w.+-])(" + names + ")(a\\d+)?(?![\\w+-]|\\.\\w)")));
  }

  public boolean isIn(String words) {
    return names.isEmpty() || names.get().matcher(words).find();
  }
}
