package io.nightsweep.conductor;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepEnding;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.WaveState;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/**
 * Decides what a sweep does next, from its state and the time alone.
 *
 * <p>The decisions of one call can all be carried out in their order. The engine carries them out
 * and calls again until there is nothing to decide, so each stage sees a state in which the earlier
 * stages have nothing left to do.
 */
public final class Conductor {
  private static final List<Function<View, List<Decision>>> WHILE_RUNNING =
      List.of(
          Resubmission::ofUnqueued,
          Questions::lapse,
          Profiles::leave,
          Trials::settle,
          Triggers::judge,
          Outage::judge,
          Cancellations::ofGivenUp,
          Cancellations::ofLostCauses,
          NodeGate::judge,
          NodeGate::afterRemedy,
          DominantAxis::judge,
          Mechanisms::judge,
          Programs::judge,
          Unaddressed::ask,
          Fit::judge,
          Profiles::race,
          CommonCause::plan,
          Repeats::plan,
          Waves::close,
          Calibration::judge,
          LlmRounds::next,
          Notices::due,
          Submissions::next,
          Waves::plan,
          Submissions::keptBack,
          Conductor::finish);

  private static final List<Function<View, List<Decision>>> WHILE_PAUSED =
      List.of(
          Resubmission::ofUnqueued,
          Questions::lapse,
          Profiles::leave,
          Trials::settle,
          Cancellations::ofGivenUp,
          Waves::close,
          Notices::due);

  private static final List<Function<View, List<Decision>>> WHILE_HALTED =
      List.of(
          Resubmission::ofUnqueued,
          Questions::lapse,
          Profiles::leave,
          Trials::settle,
          // People are told even if nothing can be cancelled, as in an outage.
          Notices::due,
          Cancellations::ofGivenUp,
          Cancellations::onHalt);

  private static final List<Function<View, List<Decision>>> WHILE_STOPPING =
      List.of(
          Resubmission::ofUnqueued,
          Questions::lapse,
          Trials::settle,
          Notices::due,
          Cancellations::ofGivenUp,
          Cancellations::onStop,
          Conductor::stopped);

  /**
   * A finished sweep decides nothing more, except for a run on real data that a person requests.
   */
  private static final List<Function<View, List<Decision>>> ONCE_FINISHED =
      List.of(Resubmission::ofUnqueued, Notices::due, Cancellations::ofGivenUp, Validations::next);

  private Conductor() {}

  public static List<Decision> decide(SweepState state, Instant now) {
    return decide(state, now, new BoardMemo());
  }

  /** As above; {@code memo} only saves time between calls. */
  public static List<Decision> decide(SweepState state, Instant now, BoardMemo memo) {
    View view = new View(state, now, memo);
    return switch (state.phase()) {
      case Phase.NotStarted p -> List.of();
      case Phase.Running p -> first(WHILE_RUNNING, view);
      case Phase.Paused p -> first(WHILE_PAUSED, view);
      case Phase.Halted p -> first(WHILE_HALTED, view);
      case Phase.Stopping p -> first(WHILE_STOPPING, view);
      case Phase.Finished p -> first(ONCE_FINISHED, view);
    };
  }

  /**
   * The first part of {@code decide}: submissions that queued no job. A tick calls it before it
   * judges ended jobs, so that the same tick judges an intent that was given up.
   */
  public static List<Decision> ofUnqueued(SweepState state, Instant now) {
    return Resubmission.ofUnqueued(new View(state, now, new BoardMemo()));
  }

  private static List<Decision> first(List<Function<View, List<Decision>>> stages, View view) {
    for (Function<View, List<Decision>> stage : stages) {
      List<Decision> decisions = stage.apply(view);
      if (!decisions.isEmpty()) {
        return decisions;
      }
    }
    return List.of();
  }

  private static List<Decision> finish(View view) {
    SweepState s = view.state();
    boolean walked = s.waves().stream().noneMatch(WaveState::isUnfinished);
    if (!walked || !s.open().isEmpty() || Mechanisms.areAwaited(view)) {
      return List.of();
    }
    Conclusion conclusion = Conclusion.of(view);
    return Decision.append(
        new Event.SweepFinished(conclusion.outcome(), conclusion.ending()),
        Statement.phrase("because-walked"));
  }

  private static List<Decision> stopped(View view) {
    SweepState s = view.state();
    if (!s.inFlight().isEmpty()) {
      return List.of();
    }
    List<Decision> drops = Trials.endAllOpen(s);
    if (!drops.isEmpty()) {
      return drops;
    }
    Command.Stop.Mode mode = ((Phase.Stopping) s.phase()).mode();
    return Decision.append(
        new Event.SweepFinished(
            Event.SweepFinished.SweepOutcome.STOPPED, new SweepEnding.StoppedByCommand(mode)),
        Statement.phrase("because-commanded"));
  }
}
