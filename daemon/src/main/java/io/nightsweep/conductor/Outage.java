package io.nightsweep.conductor;

import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.KnownClasses;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Halts the sweep when the cluster has not answered for the playbook's limit. */
final class Outage {

  /** Procedure: "controller down >15 min". */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  private Outage() {}

  static List<Decision> judge(View view) {
    SweepState s = view.state();
    Instant now = view.now();
    if (s.clusterOutage().isEmpty()) {
      return List.of();
    }
    SweepState.ClusterOutage outage = s.clusterOutage().get();
    Duration limit =
        Remedies.limitOf(s.spec().playbook().remedyFor(KnownClasses.CONTROLLER_DOWN), LIMIT);
    Instant since =
        RemedyLimits.lastResume(s).filter(outage.since()::isBefore).orElse(outage.since());
    if (now.isBefore(since.plus(limit))) {
      return List.of();
    }
    return Decision.append(
        new Event.SweepHalted(new HaltCause.ControllerDown(limit, outage.error()), List.of()),
        Statement.phrase("because-no-answer", limit));
  }
}
