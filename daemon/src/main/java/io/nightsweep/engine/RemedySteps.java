package io.nightsweep.engine;

import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Remedy;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.SweepState;
import java.util.concurrent.CompletableFuture;

/** Carries out the remedy steps that leave the process, from an allow-list of actions. */
public interface RemedySteps {
  /**
   * Begins the step and returns at once; the step ends by itself within its timeout. An unknown
   * action fails and says so. Every action may be begun again after a crash interrupted it; a
   * waiting action then counts from its first beginning. The future never completes exceptionally.
   */
  CompletableFuture<StepEnd> begin(Remedy.RemedyStep step, AttemptState attempt, SweepState state);
}
