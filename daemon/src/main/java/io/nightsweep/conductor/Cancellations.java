package io.nightsweep.conductor;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Cancels jobs that should not run on. Nothing is cancelled while the cluster does not answer. */
final class Cancellations {
  private Cancellations() {}

  /** Cancels jobs of profiles that have left the sweep and jobs on an abandoned nodelist. */
  static List<Decision> ofLostCauses(View view) {
    SweepState s = view.state();
    return cancel(
        s, a -> isLostCause(s, a), CancelCause.LOST_CAUSE, Statement.phrase("because-left"));
  }

  static boolean isLostCause(SweepState s, AttemptState a) {
    Trial trial = s.trialOf(a.id());
    return s.isDropped(trial.profile())
        || (!a.isRunning() && Confirmations.isOrphaned(s, trial))
        || s.repinnedAfter().map(r -> a.id().trial().compareTo(r) <= 0).orElse(false);
  }

  /** Cancels jobs that hang or have lost their nodes. */
  static List<Decision> ofGivenUp(View view) {
    return cancellable(view.state())
        .filter(a -> a.givenUp().isPresent())
        .<Decision>map(
            a ->
                new Decision.Cancel(
                    a.id(), CancelCause.GIVEN_UP, Statement.phrase("because-cannot-succeed")))
        .toList();
  }

  static List<Decision> onHalt(View view) {
    SweepState s = view.state();
    boolean finishRunning = s.spec().policy().finishRunningOnHalt();
    return cancel(
        s,
        a -> !a.isRunning() || !finishRunning,
        CancelCause.SWEEP_HALTED,
        Statement.phrase("because-halted"));
  }

  static List<Decision> onStop(View view) {
    SweepState s = view.state();
    boolean all = ((Phase.Stopping) s.phase()).mode() == Command.Stop.Mode.CANCEL;
    return cancel(
        s,
        a -> all || !a.isRunning(),
        CancelCause.SWEEP_STOPPED,
        Statement.phrase("because-stopped"));
  }

  private static List<Decision> cancel(
      SweepState s, Predicate<AttemptState> which, CancelCause cause, Statement because) {
    return cancellable(s)
        .filter(which)
        .<Decision>map(a -> new Decision.Cancel(a.id(), cause, because))
        .toList();
  }

  private static Stream<AttemptState> cancellable(SweepState s) {
    return s.clusterOutage().isPresent()
        ? Stream.empty()
        : s.inFlight().stream().filter(a -> a.job().isPresent() && a.cancelCause().isEmpty());
  }
}
