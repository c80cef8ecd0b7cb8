package io.nightsweep.report;

import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;

/**
 * The outcome of all planned trials: planned = measured + failed + dropped + unsupported + open.
 *
 * @param stopped the dropped trials that a person's stop prevented
 */
public record Coverage(
    int planned, int measured, int failed, int dropped, int stopped, int unsupported, int open) {

  /**
   * @throws IllegalStateException where the sum is wrong: then no report may say "complete"
   */
  public Coverage {
    if (planned != measured + failed + dropped + unsupported + open) {
      throw new IllegalStateException(
          "coverage does not add up: %d planned, %d measured, %d failed, %d dropped, %d unsupported, %d open"
              .formatted(planned, measured, failed, dropped, unsupported, open));
    }
  }

  public static Coverage of(SweepState s) {
    int measured = 0;
    int failed = 0;
    int dropped = 0;
    int stopped = 0;
    int unsupported = 0;
    int open = 0;
    for (TrialState t : s.trials().values()) {
      if (t.disposition().isEmpty()) {
        open++;
        continue;
      }
      switch (t.disposition().get()) {
        case Disposition.Measured d -> measured++;
        case Disposition.Failed d -> failed++;
        case Disposition.Dropped d -> {
          dropped++;
          stopped += d.why() instanceof Cause.SweepStopped ? 1 : 0;
        }
        case Disposition.Unsupported d -> unsupported++;
      }
    }
    return new Coverage(s.trials().size(), measured, failed, dropped, stopped, unsupported, open);
  }

  public boolean isComplete() {
    return open == 0;
  }
}
