package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * One case before it runs.
 *
 * @param caseId hash of the identity, by the program's own rule
 * @param groups of the study that contain it
 * @param required whether publication waits until it is measured
 * @param identity complete: every parameter, backend, ranks and metric contract
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

  /** Why a case does not run. {@code rule} is a stable identifier, {@code reason} is for people. */
  record CaseRefusal(CaseDisposition disposition, String rule, String reason) {}

  /** Expected time of one run; 0 where it does not run. */
  double seconds(Study.Sampling sampling) {
    return isRunnable() ? projection.seconds(sampling, Matrix.opsPerSample(identity)) : 0;
  }

  boolean isRunnable() {
    return refusal.isEmpty();
  }

  /** The same case, requested by another group as well. */
  PlannedCase with(String group, boolean alsoRequired) {
    List<String> all =
        groups.contains(group) ? groups : Stream.concat(groups.stream(), Stream.of(group)).toList();
    return new PlannedCase(caseId, all, required || alsoRequired, identity, refusal, projection);
  }
}
