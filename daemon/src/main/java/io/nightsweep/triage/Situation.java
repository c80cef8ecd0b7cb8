package io.nightsweep.triage;

import io.nightsweep.sweep.JobEnd;

/** What is known about a job besides its log. */
sealed interface Situation {
  int step();

  int stepsTotal();

  record Running(Watch watch) implements Situation {
    @Override
    public int step() {
      return watch.step();
    }

    @Override
    public int stepsTotal() {
      return watch.stepsTotal();
    }
  }

  record Over(JobEnd end, int step, int stepsTotal) implements Situation {}
}
