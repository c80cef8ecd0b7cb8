package io.nightsweep.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.codec.digest.DigestUtils;

/** The list of cases for a job. The job refuses any text that does not have the announced hash. */
record ControlDocument(String text, String sha256) {
  private static final int SCHEMA = 1;
  private static final String CASES = "cases";

  /** Fields of an identity that the transport and the program add themselves. */
  private static final List<String> NOT_PARAMETERS =
      List.of("backend", "ranks", "sampling", "metricContract");

  /**
   * @param caseLimit time limit for the trials of one case
   */
  static ControlDocument of(
      Shard shard, List<PlannedCase> cases, Study.Sampling sampling, Duration caseLimit)
      throws JsonProcessingException {
    ObjectNode document = BenchJson.MAPPER.createObjectNode();
    document.put("schema", SCHEMA);
    document.set("metricContract", cases.getFirst().identity().path("metricContract"));
    document.put("ranks", shard.key().ranks());
    document.put("caseSeconds", Math.max(1, caseLimit.toSeconds()));
    document
        .putObject("sampling")
        .put("iterations", sampling.iterations())
        .put("trials", sampling.trials())
        .put("warmup", sampling.warmup());
    ArrayNode list = document.putArray(CASES);
    cases.forEach(c -> list.add(parameters(c)));
    return of(BenchJson.MAPPER.writeValueAsString(document) + "\n");
  }

  static ControlDocument of(String text) {
    return new ControlDocument(text, DigestUtils.sha256Hex(text));
  }

  /** Those of the cases that this document contains. */
  List<PlannedCase> sent(List<PlannedCase> cases) throws JsonProcessingException {
    Set<JsonNode> listed = new HashSet<>();
    BenchJson.MAPPER.readTree(text).path(CASES).forEach(listed::add);
    // Compared as parsed text, since a size may be an int in one and a long in the other.
    List<PlannedCase> sent = new ArrayList<>();
    for (PlannedCase one : cases) {
      if (listed.contains(
          BenchJson.MAPPER.readTree(BenchJson.MAPPER.writeValueAsString(parameters(one))))) {
        sent.add(one);
      }
    }
    return sent;
  }

  private static ObjectNode parameters(PlannedCase planned) {
    return planned.identity().deepCopy().remove(NOT_PARAMETERS);
  }
}
