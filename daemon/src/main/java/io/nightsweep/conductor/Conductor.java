package io.nightsweep.conductor;

import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Decides what a sweep does next, from its state and the time alone.
 *
 * <p>The decisions of one call can all be carried out in their order. The engine calls again after
 * carrying them out, until there is nothing to decide; so each stage looks at a state in which the
 * stages before it are at rest.
 */
public final class Conductor {
  private static final List<BiFunction<SweepState, Instant, List<Decision>>> WHILE_RUNNING =
      List.of(
          Profiles::leave,
          Trials::settle,
          Outage::judge,
          Cancellations::ofLostCauses,
          Waves::close,
          Notices::due,
          Submissions::next,
          Waves::plan,
          Conductor::finish);

  private static final List<BiFunction<SweepState, Instant, List<Decision>>> WHILE_PAUSED =
      List.of(Profiles::leave, Trials::settle, Waves::close, Notices::due);

  private static final List<BiFunction<SweepState, Instant, List<Decision>>> WHILE_HALTED =
      List.of(Profiles::leave, Trials::settle, Cancellations::onHalt, Notices::due);

  private static final List<BiFunction<SweepState, Instant, List<Decision>>> WHILE_STOPPING =
      List.of(Trials::settle, Cancellations::onStop, Conductor::stopped, Notices::due);

  private Conductor() {}

  public static List<Decision> decide(SweepState state, Instant now) {
    return switch (state.phase()) {
      case Phase.NotStarted p -> List.of();
      case Phase.Running p -> first(WHILE_RUNNING, state, now);
      case Phase.Paused p -> first(WHILE_PAUSED, state, now);
      case Phase.Halted p -> first(WHILE_HALTED, state, now);
      case Phase.Stopping p -> first(WHILE_STOPPING, state, now);
      case Phase.Finished p -> Notices.due(state, now);
    };
  }

  private static List<Decision> first(
      List<BiFunction<SweepState, Instant, List<Decision>>> stages, SweepState s, Instant now) {
    for (BiFunction<SweepState, Instant, List<Decision>> stage : stages) {
      List<Decision> decisions = stage.apply(s, now);
      if (!decisions.isEmpty()) {
        return decisions;
      }
    }
    return List.of();
  }

  private static List<Decision> finish(SweepState s, Instant now) {
    boolean walked = s.waves().stream().noneMatch(w -> w.isPending() || w.isOpen());
    if (!walked || s.trials().values().stream().anyMatch(t -> t.isOpen())) {
      return List.of();
    }
    Conclusion conclusion = Conclusion.of(s);
    return List.of(
        new Decision.Append(
            new Event.SweepFinished(conclusion.outcome(), conclusion.text()),
            "the plan is walked and every trial has its disposition"));
  }

  private static List<Decision> stopped(SweepState s, Instant now) {
    if (!s.inFlight().isEmpty()) {
      return List.of();
    }
    List<Decision> drops = Trials.dropAllOpen(s, "the sweep was stopped");
    if (!drops.isEmpty()) {
      return drops;
    }
    Command.Stop.Mode mode = ((Phase.Stopping) s.phase()).mode();
    return List.of(
        new Decision.Append(
            new Event.SweepFinished(
                Event.SweepFinished.Outcome.STOPPED,
                "Stopped by command (" + mode.name().toLowerCase(java.util.Locale.ROOT) + ")."),
            "stop was commanded and nothing is in flight"));
  }
}
