package io.nightsweep.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One thing that speaks for a failure class. Patterns are RE2 and unanchored. */
public sealed interface Clue {
  /**
   * A line of the log that no benign pattern matches.
   *
   * @param near another line that must be there as well, anywhere in the log
   * @param unless a line that must be nowhere in the log
   * @param diedOf whether it must be what a rank died of: an error that no step, no station and no
   *     earlier error of the same rank speaks against
   */
  record Line(String pattern, Optional<String> near, Optional<String> unless, boolean diedOf)
      implements Clue {
    /** A line that counts whatever became of its rank afterwards. */
    public Line(String pattern, Optional<String> near, Optional<String> unless) {
      this(pattern, near, unless, false);
    }
  }

  /** The job's exit code, 128 + n for signal n. */
  record Exit(List<Integer> codes) implements Clue {
    public Exit {
      codes = List.copyOf(codes);
    }
  }

  /** How the cluster says the job ended. */
  record Ended(List<JobEnd.State> states) implements Clue {
    public Ended {
      states = List.copyOf(states);
    }
  }

  /** The log is absent or empty. */
  record NoLog() implements Clue {}

  /** How far the steps came. */
  record Reached(StepsSeen progress) implements Clue {}

  enum StepsSeen {
    NO_STEP,
    A_STEP,
    ALL_STEPS
  }

  /**
   * The job runs, and for this long there was no new step.
   *
   * @param overdue what counts instead wherever the next step's duration can be projected
   */
  record Silence(Duration atLeast, Optional<Overdue> overdue) implements Clue {
    public Silence(Duration atLeast) {
      this(atLeast, Optional.empty());
    }
  }

  /**
   * A step that does not come after so many times its projected duration.
   *
   * @param times at least 1
   * @param floor and after no less than this, however short the steps are
   */
  record Overdue(double times, Duration floor) {}

  /** The log is longer than this. */
  record Grown(long bytes) implements Clue {}

  /** Whether a mark's pattern was ever seen. */
  record Seen(String mark, boolean seen) implements Clue {}

  /** Whether what a mark stands for has begun and not ended. */
  record Open(String mark, boolean open) implements Clue {}

  /**
   * Whether the job is the first of its sweep on these nodes, which may load and compile for long.
   */
  record FirstJob(boolean first) implements Clue {}

  /** Whether the profile is a baseline. */
  record Baseline(boolean baseline) implements Clue {}
}
