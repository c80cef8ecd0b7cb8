package io.nightsweep.sweep;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** One sign of a failure class. Patterns are RE2 and unanchored. */
public sealed interface Clue {
  /**
   * A line of the log that no benign pattern matches.
   *
   * @param near another line that the log must also contain, anywhere
   * @param unless a line that the log must not contain
   * @param diedOf whether the line must be the error that ended a rank: no step, mark or earlier
   *     error of the same rank contradicts it
   */
  record Line(String pattern, Optional<String> near, Optional<String> unless, boolean diedOf)
      implements Clue {
    /** A line that counts regardless of what happened to its rank afterwards. */
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

  /** The end state that the cluster reports for the job. */
  record Ended(List<JobEnd.State> states) implements Clue {
    public Ended {
      states = List.copyOf(states);
    }
  }

  /** The log is absent or empty. */
  record NoLog() implements Clue {}

  /** How far the steps got. */
  record Reached(StepsSeen progress) implements Clue {}

  enum StepsSeen {
    NO_STEP,
    A_STEP,
    ALL_STEPS
  }

  /**
   * The job runs, but there was no new step for this long.
   *
   * @param overdue the rule that applies instead if the next step's duration can be projected
   */
  record Silence(Duration atLeast, Optional<Overdue> overdue) implements Clue {
    public Silence(Duration atLeast) {
      this(atLeast, Optional.empty());
    }
  }

  /**
   * A step has not come after this many times its projected duration.
   *
   * @param times at least 1
   * @param floor shortest wait, however short the steps are
   */
  record Overdue(double times, Duration floor) {}

  /** The log is longer than this. */
  record Grown(long bytes) implements Clue {}

  /** Whether a line matched the mark's patterns at any time. */
  record Seen(String mark, boolean seen) implements Clue {}

  /** Whether what the mark stands for has begun and not ended. */
  record Open(String mark, boolean open) implements Clue {}

  /**
   * Whether the job is the first of its sweep on these nodes; such a job may load and compile for
   * long.
   */
  record FirstJob(boolean first) implements Clue {}

  /** Whether the profile is a baseline. */
  record Baseline(boolean baseline) implements Clue {}
}
