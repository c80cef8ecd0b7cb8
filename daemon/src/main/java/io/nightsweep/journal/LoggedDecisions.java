package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Statement;
import java.io.IOException;

/** Reads decisions from the logs of earlier builds; their lines name no schema. */
public final class LoggedDecisions {
  private LoggedDecisions() {}

  /**
   * @throws IOException if the decision fits no schema
   */
  public static Decision read(ObjectNode decision) throws IOException {
    JsonNode because = decision.path("because");
    if (because.isTextual()) {
      if (decision.path("type").asText().equals("Cancel") && !decision.has("cause")) {
        decision.put("cause", FromSchema6.cancelCause(because.asText()));
      }
      decision.set("because", Json.mapper().valueToTree(OldSentences.statement(because.asText())));
    }
    if (decision.get("event") instanceof ObjectNode event) {
      return new Decision.Append(
          LineCodec.CURRENT.ofUnknownSchema(event),
          Json.mapper().treeToValue(decision.get("because"), Statement.class));
    }
    return Json.mapper().treeToValue(decision, Decision.class);
  }
}
