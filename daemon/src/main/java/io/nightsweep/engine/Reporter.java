package io.nightsweep.engine;

import io.nightsweep.sweep.SweepState;
import java.io.IOException;

/** Rewrites a sweep's reports, atomically, from its state. */
public interface Reporter {
  void write(SweepDirectory directory, SweepState state) throws IOException;
}
