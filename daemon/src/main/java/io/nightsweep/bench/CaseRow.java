package io.nightsweep.bench;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.workload.kernels.KernelResult;
import java.util.List;
import java.util.Optional;

/**
 * The result of one case in one attempt, with the same fields for every disposition.
 *
 * @param side of a study with two, else {@link #ONE_SIDE}
 * @param round from 1
 * @param attempt from 1; 0 where a rule refused the case before any job
 * @param job absent where there was none
 * @param cause present unless the case was measured
 * @param record written by the program, where it left one
 */
record CaseRow(
    int schema,
    ShardKey shard,
    String side,
    int round,
    int attempt,
    Optional<String> job,
    List<String> groups,
    boolean required,
    String caseId,
    ObjectNode identity,
    CaseDisposition disposition,
    Optional<CaseCause> cause,
    Optional<KernelResult.Case> record) {
  static final int SCHEMA = 2;
  static final String ONE_SIDE = "only";

  /** Identifies what must end with exactly one disposition. */
  record Key(String shard, String side, int round, String caseId) {}

  Key key() {
    return new Key(shard.id(), side, round, caseId);
  }

  boolean isMeasured() {
    return disposition == CaseDisposition.MEASURED;
  }

  /** The cause in words, also written to the files of rows. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  Optional<String> reason() {
    return cause.map(CaseCause::sentence);
  }

  /** Whether any check of this attempt found a wrong element on any rank. */
  boolean hasWrongElements() {
    return record
        .flatMap(r -> Optional.ofNullable(r.wrong()))
        .filter(wrong -> wrong > 0)
        .isPresent();
  }

  /** The row of a case that a rule refuses. */
  static CaseRow refused(Shard shard, String side, int round, PlannedCase planned) {
    PlannedCase.CaseRefusal refusal = planned.refusal().orElseThrow();
    return of(
        shard,
        new RunKey(side, round, 0),
        Optional.empty(),
        planned,
        refusal.disposition(),
        Optional.of(CaseCause.told(refusal.rule() + ": " + refusal.reason())),
        Optional.empty());
  }

  static CaseRow of(
      Shard shard,
      RunKey run,
      Optional<String> job,
      PlannedCase planned,
      CaseDisposition disposition,
      Optional<CaseCause> cause,
      Optional<KernelResult.Case> record) {
    return new CaseRow(
        SCHEMA,
        shard.key(),
        run.side(),
        run.round(),
        run.attempt(),
        job,
        planned.groups(),
        planned.required(),
        planned.caseId(),
        planned.identity(),
        disposition,
        cause,
        record);
  }
}
