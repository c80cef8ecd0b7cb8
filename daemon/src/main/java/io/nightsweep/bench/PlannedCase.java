package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One case before it runs.
 *
 * @param caseId of the identity, by the program's own rule
 * @param groups of the study that ask for it
 * @param required whether nothing is published before it is measured
 * @param identity whole: every parameter, backend, ranks and metric contract
 * @param refusal absent where it can run
 * @param projection of its time
 */
record PlannedCase(
    String caseId,
    List<String> groups,
    boolean required,
    ObjectNode identity,
    Optional<CaseRefusal> refusal,
    CaseProjection projection) {

  /** Why a case is not run; {@code rule} lasts, {@code reason} is for people. */
  record CaseRefusal(CaseDisposition disposition, String rule, String reason) {}

  /** What it is expected to take once; nothing where it is not run. */
  double seconds(Study.Sampling sampling) {
    return isRunnable() ? projection.seconds(sampling, Matrix.opsPerSample(identity)) : 0;
  }

  boolean isRunnable() {
    return refusal.isEmpty();
  }

  /** The same case, asked for once more. */
  PlannedCase with(String group, boolean alsoRequired) {
    List<String> all =
        groups.contains(group) ? groups : Stream.concat(groups.stream(), Stream.of(group)).toList();
    return new PlannedCase(caseId, all, required || alsoRequired, identity, refusal, projection);
  }
}
