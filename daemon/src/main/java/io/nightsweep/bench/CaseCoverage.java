package io.nightsweep.bench;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Compares the plan with the rows.
 *
 * @param planned cases, times sides, times rounds
 * @param dispositions how many of each
 * @param problems each missing, extra, duplicate, mismatched or differently routed case, once
 * @param unmeasuredRequired required cases without a measurement; they block publication
 */
record CaseCoverage(
    int planned,
    SortedMap<CaseDisposition, Long> dispositions,
    List<String> problems,
    List<String> unmeasuredRequired) {

  /** The parameters that determine which experts all ranks' tokens choose. */
  private static final List<String> ROUTING =
      List.of("ranks", "tokens", "tokenSpread", "experts", "topk", "routing", "step");

  /** Whether every planned case has exactly one disposition and there are no other rows. */
  boolean isComplete() {
    return problems.isEmpty();
  }

  /**
   * @param expected what was planned, by the rows' keys
   * @param rows those that count
   * @param read problems found while reading the jobs' records
   */
  static CaseCoverage of(
      Map<CaseRow.Key, PlannedCase> expected, List<CaseRow> rows, List<String> read) {
    List<String> problems = new ArrayList<>(read);
    Map<CaseRow.Key, Integer> seen = new HashMap<>();
    SortedMap<CaseDisposition, Long> dispositions = new TreeMap<>();
    List<String> unmeasured = new ArrayList<>();
    for (CaseRow row : rows) {
      if (seen.merge(row.key(), 1, Integer::sum) == 2) {
        problems.add("duplicate: " + words(row.key()));
      }
      PlannedCase planned = expected.get(row.key());
      if (planned == null) {
        problems.add("extra: " + words(row.key()));
      } else if (!planned.identity().equals(row.identity())) {
        problems.add("mismatched identity: " + words(row.key()));
      }
      dispositions.merge(row.disposition(), 1L, Long::sum);
      boolean refused = planned != null && !planned.isRunnable();
      if (row.required() && !row.isMeasured() && !refused) {
        unmeasured.add(
            words(row.key()) + " is " + row.disposition().word() + ": " + row.reason().orElse(""));
      }
    }
    expected.keySet().stream()
        .filter(key -> !seen.containsKey(key))
        .forEach(key -> problems.add("missing: " + words(key)));
    problems.addAll(routedOtherwise(rows));
    return new CaseCoverage(expected.size(), dispositions, problems, unmeasured);
  }

  /**
   * Finds cases with the same routing parameters but different choices: the choices must not depend
   * on the library or number format.
   */
  private static List<String> routedOtherwise(List<CaseRow> rows) {
    Map<ObjectNode, CaseRow> first = new HashMap<>();
    List<String> problems = new ArrayList<>();
    for (CaseRow row : rows) {
      if (row.isMeasured() && row.identity().path("kernel").asText().equals("ep")) {
        CaseRow other = first.putIfAbsent(row.identity().deepCopy().retain(ROUTING), row);
        if (other != null && !routingHash(row).equals(routingHash(other))) {
          problems.add("routed otherwise than " + words(other.key()) + ": " + words(row.key()));
        }
      }
    }
    return problems;
  }

  private static String routingHash(CaseRow row) {
    return row.record().map(r -> r.facts().path("routingHash").asText()).orElse("");
  }

  private static String words(CaseRow.Key key) {
    return key.caseId()
        + " of "
        + key.shard()
        + (key.side().equals(CaseRow.ONE_SIDE) ? "" : ", " + key.side() + " round " + key.round());
  }
}
