package io.nightsweep.page;

import io.nightsweep.engine.Reply;
import io.nightsweep.engine.Request;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.util.List;
import java.util.Optional;

/** The daemon as the page knows it. */
public interface PageSweeps {
  /** A sweep that the daemon drives, as it stands; must not wait. */
  Optional<SweepState> driven(String sweep);

  /** The steps of a running job by its last reading; must not wait. */
  List<Measurement.MeasuredStep> steps(String sweep, AttemptId attempt);

  /** What the daemon knows of each sweep that it drives. */
  List<Reply.Hosting.Sweep> hosting();

  /** The door that all commands take. */
  Reply tell(Request.Tell request) throws InterruptedException;
}
