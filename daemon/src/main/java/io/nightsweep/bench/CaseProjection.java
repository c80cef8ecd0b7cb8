package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.util.List;

/**
 * What a case is expected to take.
 *
 * @param fixedSeconds to make it and to check it before and after
 * @param roundSeconds one operation of all of its components
 * @param basis how it is known
 */
record CaseProjection(double fixedSeconds, double roundSeconds, Basis basis) {
  /** How a projection is known, the surest first. */
  enum Basis {
    /** The same case in an earlier bundle of the study, whatever its sampling. */
    MEASURED,
    /** The program's model, times the factor of the same kernel's cases that were measured. */
    SCALED,
    /** The program's model of a reference machine. */
    MODELLED
  }

  /** With warm-up, trials and operations a sample. */
  double seconds(Study.Sampling sampling, int opsPerSample) {
    return fixedSeconds
        + roundSeconds
            * sampling.trials()
            * (sampling.warmup() + (double) sampling.iterations() * opsPerSample);
  }

  /** Of the same case, measured several times. */
  static CaseProjection mean(List<CaseProjection> all) {
    return new CaseProjection(
        all.stream().mapToDouble(CaseProjection::fixedSeconds).average().orElseThrow(),
        all.stream().mapToDouble(CaseProjection::roundSeconds).average().orElseThrow(),
        Basis.MEASURED);
  }

  CaseProjection times(double factor) {
    return new CaseProjection(fixedSeconds * factor, roundSeconds * factor, Basis.SCALED);
  }
}
