package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts events of schema 13 to schema 14, in which the reasons for waves, for waves left out,
 * for refused proposals, for answers of a language model that cannot be read, and for what became
 * of a notice are statements. Schema 13 had English sentences.
 */
final class FromSchema13 {
  private FromSchema13() {}

  static ObjectNode upgraded(ObjectNode event) {
    switch (event.path("type").asText()) {
      case "SweepStarted" -> {
        JsonNode plan = event.at("/spec/plan");
        waves(plan);
        plan.path("alternatives").forEach(FromSchema13::waves);
        plan.path("notApplicable").forEach(wave -> said(wave, "reason"));
      }
      case "LlmAnswered" -> {
        said(event.path("answer"), "detail");
        event.at("/answer/refusals").forEach(refusal -> said(refusal, "reason"));
      }
      case "NoticeUnsent", "NoticeSettled" -> said(event, "because");
      default -> {}
    }
    return event;
  }

  private static void waves(JsonNode plan) {
    plan.path("waves").forEach(wave -> said(wave, "why"));
  }

  private static void said(JsonNode node, String field) {
    ((ObjectNode) node)
        .set(field, Json.mapper().valueToTree(OldSentences.statement(node.path(field).asText())));
  }
}
