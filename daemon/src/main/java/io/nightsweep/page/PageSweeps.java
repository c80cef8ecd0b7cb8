package io.nightsweep.page;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;

/** What the page needs from the daemon. */
public interface PageSweeps {
  /** The current state of a sweep that runs in the daemon; must not block. */
  Optional<SweepState> driven(String sweep);

  /** The steps of a running job as of its last reading; must not block. */
  List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt);

  /** What the daemon knows about each sweep that it runs. */
  List<Reply.Hosting.Sweep> hosting();

  /**
   * Passes a command to the daemon, on the same path as commands from elsewhere.
   *
   * @return why it was refused, if it was
   */
  Optional<Statement> tell(Request.Tell request) throws InterruptedException;
}
