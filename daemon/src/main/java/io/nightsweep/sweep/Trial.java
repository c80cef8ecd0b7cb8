package io.nightsweep.sweep;

/**
 * One repetition of one profile on one config tag.
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

  /** Why the trial runs; only trials that {@link #measures measure} enter a verdict. */
  public enum Purpose {
    /** Validates flag names against the build; measures nothing. */
    PROBE(false),
    /** The baseline inside a block. */
    CONTROL(true),
    /** A first look or a replicate. */
    SCREEN(true),
    /** A fresh run; only estimates from these are published. */
    CONFIRM(true),
    /** A baseline run beside the confirmation runs. */
    CONFIRM_CONTROL(true),
    /** A run with the profiler and the HLO dump on. */
    EVIDENCE(false),
    /** The winner on the other config tags. */
    CROSS_CHECK(true),
    /** The baseline beside cross-check runs. */
    CROSS_CONTROL(true),
    /** A run on real data, on request, outside the leaderboard. */
    VALIDATE(false),
    /** Kernels on every pinned node, without a profile. */
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
