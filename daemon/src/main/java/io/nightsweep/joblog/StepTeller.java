package io.nightsweep.joblog;

/** Receives each step, together with its line, from the one listener that reads steps. */
@FunctionalInterface
public interface StepTeller {
  StepTeller NOBODY = (line, step) -> {};

  void step(Line line, Step step);
}
