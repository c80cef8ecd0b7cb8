package io.nightsweep.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.sweep.Decision;
import java.io.IOException;

/** Reads decisions of a log that builds of earlier schemas wrote; its lines name no schema. */
public final class LoggedDecisions {
  private LoggedDecisions() {}

  /**
   * @throws IOException where no schema has such a decision
   */
  public static Decision read(ObjectNode decision) throws IOException {
    String because = decision.path("because").asText();
    if (decision.get("event") instanceof ObjectNode event) {
      return new Decision.Append(LineCodec.CURRENT.ofUnknownSchema(event), because);
    }
    if (decision.path("type").asText().equals("Cancel") && !decision.has("cause")) {
      decision.put("cause", FromSchema6.cancelCause(because));
    }
    return Json.mapper().treeToValue(decision, Decision.class);
  }
}
