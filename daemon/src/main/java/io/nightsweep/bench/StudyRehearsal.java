package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.util.Optional;

/**
 * How a run differs from its study on purpose: at a fraction of its sizes, or sampled otherwise.
 *
 * @param divisor of bytes, elements and dimensions; 1 as the study says
 * @param sampling instead of the study's
 */
public record StudyRehearsal(int divisor, Optional<Study.Sampling> sampling) {
  /** The study as it is. */
  public static final StudyRehearsal NONE = new StudyRehearsal(1, Optional.empty());

  Study of(Study study) {
    return sampling.map(study::sampledAs).orElse(study);
  }

  /** For people; empty where the study runs as it is. */
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
