package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Converts events of schema 2 to schema 3. Schema 3 has approvals as questions with a deadline, and
 * a plausibility limit for gains in the policy. It also has events for the beginning and end of a
 * grace period ({@code AttemptDoubted}, {@code AttemptSeen}), which schema 2 does not have.
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

  /** An approval of schema 2 had no deadline: it gets the default of a playbook. */
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
