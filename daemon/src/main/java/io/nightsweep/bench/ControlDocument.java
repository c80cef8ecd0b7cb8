package io.nightsweep.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.plan.Study;
import java.time.Duration;
import java.util.List;
import org.apache.commons.codec.digest.DigestUtils;

/**
 * The cases that a job is to run; the job refuses any other text than the one that was announced.
 */
record ControlDocument(String text, String sha256) {
  private static final int SCHEMA = 1;

  /** What the transport and the program add to an identity by themselves. */
  private static final List<String> NOT_PARAMETERS =
      List.of("backend", "ranks", "sampling", "metricContract");

  /**
   * @param caseLimit what the trials of one case may take
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
    ArrayNode list = document.putArray("cases");
    cases.forEach(c -> list.add(c.identity().deepCopy().remove(NOT_PARAMETERS)));
    String text = BenchJson.MAPPER.writeValueAsString(document) + "\n";
    return new ControlDocument(text, DigestUtils.sha256Hex(text));
  }
}
