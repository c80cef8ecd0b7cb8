package io.nightsweep.engine;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.SweepState;

/** Carries out the remedy steps that leave the process, from an allow-list of actions. */
public interface RemedySteps {
  /** Runs to its end or its timeout; an unknown action fails and says so. */
  Outcome run(Remedy.Step step, AttemptState attempt, SweepState state) throws InterruptedException;

  record Outcome(boolean succeeded, String output) {}
}
