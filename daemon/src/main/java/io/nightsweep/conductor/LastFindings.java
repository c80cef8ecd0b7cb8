package io.nightsweep.conductor;

import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Returns the last finding of a kind: for the deployed state, or for the winner's own profiled run.
 */
public final class LastFindings {
  private LastFindings() {}

  public static Optional<Finding> last(SweepState s, String kind) {
    return of(s, kind).filter(f -> !isOfWinner(s, f)).reduce((first, second) -> second);
  }

  public static Optional<Finding> ofWinner(SweepState s, String kind) {
    return of(s, kind).filter(f -> isOfWinner(s, f)).reduce((first, second) -> second);
  }

  private static Stream<Finding> of(SweepState s, String kind) {
    return s.findings().stream().filter(f -> f.is(kind));
  }

  private static boolean isOfWinner(SweepState s, Finding finding) {
    return Optional.ofNullable(s.trials().get(finding.attempt().trial()))
        .map(TrialState::trial)
        .flatMap(trial -> s.wave(trial.wave()))
        .filter(w -> w.is(Wave.Kind.WINNER_EVIDENCE))
        .isPresent();
  }
}
