package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Retry;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import io.nightsweep.sweep.TrialState;
import java.util.List;
import java.util.Optional;

/**
 * Runs the winner on real data, one job per run, when people request it after the sweep's end. A
 * failed run is reported and not retried, since the person can request it again.
 */
final class Validations {
  private static final String WAVE = "validation";

  private Validations() {}

  static List<Decision> next(View view) {
    SweepState s = view.state();
    Optional<TrialState> open = s.open().values().stream().findFirst();
    if (open.isPresent()) {
      return advance(s, open.get());
    }
    return s.validations().size() < s.validationsAsked() ? plan(view) : List.of();
  }

  private static List<Decision> plan(View view) {
    SweepState s = view.state();
    String winner = Standings.winner(view.state(), view.board()).orElseThrow().profile();
    Blocks blocks = new Blocks(s, WAVE);
    blocks.alone(s.spec().primaryTag().name(), winner, Purpose.VALIDATE);
    return Decision.append(
        new Event.ValidationPlanned(blocks.trials().getFirst()),
        Statement.phrase("because-asks-real"));
  }

  private static List<Decision> advance(SweepState s, TrialState t) {
    Optional<AttemptState> last = t.lastAttempt();
    if (last.isEmpty()) {
      return submit(s, t, Statement.phrase("because-asked-for"));
    }
    Optional<Judgement> judgement = last.get().judgement();
    if (judgement.isEmpty()) {
      return List.of();
    }
    Optional<Retry> again = Resubmission.dueOnRequest(t);
    if (again.isPresent()) {
      return submit(s, t, again.get().said());
    }
    return switch (judgement.get()) {
      case Judgement.Measured m -> close(s, t, new Disposition.Measured(last.get().id()));
      case Judgement.Done d -> close(s, t, new Disposition.Measured(last.get().id()));
      case Judgement.Failed f ->
          close(s, t, new Disposition.Failed(f.diagnosis().failureClass(), f.diagnosis().detail()));
      case Judgement.Voided v -> close(s, t, new Disposition.Failed(KnownClasses.VOID, v.reason()));
      case Judgement.Duplicate d -> List.of();
    };
  }

  private static List<Decision> submit(SweepState s, TrialState t, Statement because) {
    return s.clusterOutage().isPresent()
        ? List.of()
        : List.of(new Decision.Submit(t.nextAttempt(), because));
  }

  /** Journals the sweep's end again, so that readers of the journal's last lines find it there. */
  private static List<Decision> close(SweepState s, TrialState t, Disposition disposition) {
    Phase.Finished end = (Phase.Finished) s.phase();
    return List.of(
        new Decision.Append(
            new Event.NoticeIssued(
                "validation:" + t.trial().id(), new Notice.Incident(occurrence(t, disposition))),
            Statement.phrase("because-somebody")),
        new Decision.Append(
            new Event.TrialClosed(t.trial().id(), disposition),
            Statement.phrase("because-real-over")),
        new Decision.Append(
            new Event.SweepFinished(end.outcome(), end.ending()),
            Statement.phrase("because-at-rest")));
  }

  private static Occurrence occurrence(TrialState t, Disposition disposition) {
    String profile = t.trial().profile();
    if (disposition instanceof Disposition.Failed failed) {
      return new Occurrence.RealDataFailed(profile, failed.failureClass(), failed.detail());
    }
    List<Double> losses =
        t.lastAttempt().flatMap(AttemptState::measurement).stream()
            .flatMap(m -> m.steps().stream())
            .filter(step -> step.loss().isPresent())
            .map(step -> step.loss().getAsDouble())
            .toList();
    return new Occurrence.RealDataRan(
        profile,
        losses.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Occurrence.LossCourse(losses.getFirst(), losses.getLast(), losses.size())));
  }
}
