package io.nightsweep.sweep;

/**
 * One profile on one config tag, one repetition.
 *
 * @param block trials of one block share a time window and are compared with its controls
 * @param repetition counted from 1 per profile, config tag and purpose
 */
public record Trial(
    TrialId id,
    String wave,
    int block,
    Purpose purpose,
    String profile,
    String configTag,
    int repetition) {

  /** Why the trial runs; only {@link #measures} ones enter a verdict. */
  public enum Purpose {
    /** Validates flag names against the build; measures nothing. */
    PROBE(false),
    /** The baseline inside a block. */
    CONTROL(true),
    /** A first look or a replicate. */
    SCREEN(true),
    /** A fresh run whose estimate is the only one published. */
    CONFIRM(true),
    /** A baseline run beside the confirmation runs. */
    CONFIRM_CONTROL(true),
    /** Profiler and HLO dump on. */
    EVIDENCE(false),
    /** The winner on the other config tags. */
    CROSS_CHECK(true),
    /** The baseline beside cross-check runs. */
    CROSS_CONTROL(true),
    /** Real data, on request, outside the leaderboard. */
    VALIDATE(false),
    /** Kernels on every pinned node; no profile runs. */
    NODE_GATE(false);

    private final boolean measures;

    Purpose(boolean measures) {
      this.measures = measures;
    }

    public boolean measures() {
      return measures;
    }

    public boolean isControl() {
      return this == CONTROL || this == CONFIRM_CONTROL || this == CROSS_CONTROL;
    }
  }
}
