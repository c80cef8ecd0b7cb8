package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A remedy step that a sweep waits for.
 *
 * @param nodes of the cell that the failure names
 * @param detail of the failure
 * @param until the latest time at which the step ends
 */
public record AwaitedStep(
    AttemptId attempt,
    String failureClass,
    List<String> nodes,
    Statement detail,
    String action,
    Instant since,
    Instant until) {

  public static List<AwaitedStep> of(SweepState s) {
    return s.open().values().stream()
        .flatMap(t -> t.lastAttempt().flatMap(a -> of(s, t, a)).stream())
        .toList();
  }

  private static Optional<AwaitedStep> of(SweepState s, TrialState t, AttemptState a) {
    if (a.failure().isEmpty()) {
      return Optional.empty();
    }
    Diagnosis failure = a.failure().get();
    return a.remedy()
        .filter(remedy -> remedy.ended().isEmpty())
        .flatMap(
            remedy ->
                Remedies.awaited(remedy)
                    .map(
                        step ->
                            new AwaitedStep(
                                a.id(),
                                remedy.failureClass(),
                                Remedies.failingNodes(s, failure),
                                failure.detail(),
                                remedy.step(step.index()).action(),
                                step.since(),
                                step.since()
                                    .plus(Remedies.timeLimit(s, t, remedy, step.index())))));
  }
}
