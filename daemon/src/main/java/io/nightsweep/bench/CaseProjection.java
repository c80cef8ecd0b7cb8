package io.nightsweep.bench;

import io.nightsweep.plan.Study;
import java.util.List;

/**
 * The expected time of a case.
 *
 * @param fixedSeconds to set it up and to check it before and after
 * @param roundSeconds one operation of all of its components
 * @param basis where the figures come from
 */
record CaseProjection(double fixedSeconds, double roundSeconds, Basis basis) {
  /** Where a projection comes from, the most reliable first. */
  enum Basis {
    /** The same case in an earlier bundle of the study, even with other sampling. */
    MEASURED,
    /** The program's model, multiplied by a factor from measured cases of the same kernel. */
    SCALED,
    /** The program's model of a reference machine. */
    MODELLED
  }

  /** The whole case: warm-up and trials, with this many operations in each sample. */
  double seconds(Study.Sampling sampling, int opsPerSample) {
    return fixedSeconds
        + roundSeconds
            * sampling.trials()
            * (sampling.warmup() + (double) sampling.iterations() * opsPerSample);
  }

  /** The mean of several measurements of the same case. */
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
