package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.util.Optional;

/**
 * How a run deviates from its study on purpose: smaller sizes, or other sampling.
 *
 * @param divisor of bytes, elements and dimensions; 1 for the study's own sizes
 * @param sampling instead of the study's
 */
public record StudyRehearsal(int divisor, Optional<Study.Sampling> sampling) {
  /** No deviation from the study. */
  public static final StudyRehearsal NONE = new StudyRehearsal(1, Optional.empty());

  Study of(Study study) {
    return sampling.map(study::sampledAs).orElse(study);
  }

  /** Describes the deviation; empty where the study runs unchanged. */
  public Optional<String> words() {
    if (equals(NONE)) {
      return Optional.empty();
    }
    return Optional.of(
        "a rehearsal"
            + (divisor > 1 ? ", sizes divided by " + divisor : "")
            + sampling.map(s -> ", sampled " + s.words()).orElse(""));
  }
}
