package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.LlmOccasion;
import io.nightsweep.sweep.LlmOccasion.Kind;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Wave;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the occasions to query a language model, from a state alone. */
public final class LlmOccasions {
  private static final int MOST_FAILURES = 3;

  private LlmOccasions() {}

  /** The latest occasion of a kind; empty if there has been none. */
  public static Optional<LlmOccasion> latest(SweepState s, Kind kind) {
    return of(s, kind).reduce((first, second) -> second);
  }

  /**
   * All occasions of a kind, the oldest first; the state alone does not show the end of a search.
   */
  static Stream<LlmOccasion> of(SweepState s, Kind kind) {
    return switch (kind) {
      case BOUNDED -> Stream.of(new LlmOccasion(kind, ""));
      case EVIDENCE ->
          s.findings().stream().anyMatch(f -> f.is(Finding.MECHANISMS) || f.is(Finding.DOMINANT))
              ? Stream.of(new LlmOccasion(kind, ""))
              : Stream.empty();
      case FAILURE ->
          unclassified(s).stream().limit(MOST_FAILURES).map(a -> new LlmOccasion(kind, a));
      case WAVE ->
          s.waves().stream()
              .filter(w -> w.closedAt().isPresent() && !w.wave().isAdded())
              .filter(w -> w.is(Wave.Kind.SCREEN) || w.is(Wave.Kind.RACE))
              .map(w -> new LlmOccasion(kind, w.wave().name()));
    };
  }

  private static List<String> unclassified(SweepState s) {
    return s.attempts()
        .filter(a -> a.isFailedAs(KnownClasses.UNCLASSIFIED))
        .map(AttemptState::id)
        .map(Object::toString)
        .toList();
  }
}
