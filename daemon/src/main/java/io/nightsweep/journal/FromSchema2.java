package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Turns events of schema 2 into those of schema 3, in which an approval is a question with a
 * deadline and a policy may name the gain beyond belief. Schema 3 also begins and ends a grace by
 * an event ({@code AttemptDoubted}, {@code AttemptSeen}); schema 2 has no such events.
 */
final class FromSchema2 {
  private static final String PATIENCE = "PT1H";

  private FromSchema2() {}

  static ObjectNode upgraded(ObjectNode event) {
    switch (event.path("type").asText()) {
      case "SweepStarted" -> {
        if (event.at("/spec/policy") instanceof ObjectNode policy && !policy.has("plausibleGain")) {
          policy.putNull("plausibleGain");
        }
        approvals(event.at("/spec/playbook"));
      }
      case "RemedyBegun" -> approvals(event.path("remedy"));
      case "ApprovalAsked" -> {
        event.put("type", "QuestionAsked").set("text", event.remove("question"));
        event.set("question", event.remove("approval"));
        event.put("patience", PATIENCE).put("unanswered", false).remove(List.of("attempt", "step"));
      }
      case "CommandAccepted" -> {
        if (event.get("command") instanceof ObjectNode command && command.has("approval")) {
          command.set("question", command.remove("approval"));
        }
      }
      case "NoticeIssued" -> {
        if (event.get("notice") instanceof ObjectNode notice && notice.has("approval")) {
          notice.put("type", "Asked").set("question", notice.remove("approval"));
        }
      }
      default -> {}
    }
    return event;
  }

  /** In schema 2 an approval had no deadline: it gets the one of a playbook that names none. */
  private static void approvals(JsonNode within) {
    for (JsonNode found : within.findParents("needsApproval")) {
      ObjectNode step = (ObjectNode) found;
      if (step.remove("needsApproval").asBoolean()) {
        step.putObject("approval").put("patience", PATIENCE).put("unanswered", false);
      } else {
        step.putNull("approval");
      }
    }
  }
}
