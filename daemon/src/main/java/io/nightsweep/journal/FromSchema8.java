package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts events of schema 8 to schema 9, in which the end of a remedy step is a typed fact with a
 * statement. Schema 8 had a boolean and a sentence; two of the sentences meant that people had not
 * approved the step.
 */
final class FromSchema8 {
  private static final String DENIED = "denied";
  private static final String NOT_IN_TIME = "not approved in time";

  private FromSchema8() {}

  static ObjectNode upgraded(ObjectNode event) {
    switch (event.path("type").asText()) {
      case "RemedyStepDone" -> end(event);
      case "SweepHalted" -> event.at("/cause/steps").forEach(FromSchema8::end);
      case "NoticeIssued" -> event.at("/notice/cause/steps").forEach(FromSchema8::end);
      default -> {}
    }
    return event;
  }

  private static void end(JsonNode step) {
    if (step instanceof ObjectNode fields && fields.has("output")) {
      boolean succeeded = fields.remove("succeeded").asBoolean();
      String output = fields.remove("output").asText();
      ObjectNode end = fields.putObject("end");
      if (!succeeded && (output.equals(DENIED) || output.equals(NOT_IN_TIME))) {
        end.put("type", "Refused").put("byPerson", output.equals(DENIED));
      } else {
        end.put("type", succeeded ? "Succeeded" : "Failed")
            .set("said", Json.mapper().valueToTree(OldSentences.statement(output)));
      }
    }
  }
}
