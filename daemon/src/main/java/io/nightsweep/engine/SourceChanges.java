package io.nightsweep.engine;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;

/** Reports each change of the sources of a sweep's jobs once. */
final class SourceChanges {
  private SourceChanges() {}

  /** The event to journal; empty if the same change was reported before. */
  static List<Event> told(SweepState s, AttemptId attempt, Optional<Statement> statement) {
    return statement
        .filter(
            found ->
                s.findings().stream()
                    .noneMatch(f -> f.is(Finding.CHANGED) && f.statement().equals(found)))
        .map(found -> new Finding(attempt, Finding.CHANGED, found, List.of()))
        .<List<Event>>map(finding -> List.of(new Event.FindingMade(finding)))
        .orElse(List.of());
  }
}
