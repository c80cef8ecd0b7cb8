package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Converts events of schema 7 to schema 8, in which no fact is stored as a sentence: failures,
 * their causes and findings have statements. Schema 7 had an English sentence for each of them.
 */
final class FromSchema7 {
  private FromSchema7() {}

  static ObjectNode upgraded(ObjectNode event) {
    switch (event.path("type").asText()) {
      case "FindingMade" -> told(event.path("finding"), "statement");
      case "SubmissionRefused", "AttemptGivenUp" -> told(event.path("diagnosis"), "detail");
      case "AttemptJudged" -> {
        JsonNode judgement = event.path("judgement");
        told(judgement, "detail");
        told(judgement, "reason");
        told(judgement.path("diagnosis"), "detail");
      }
      case "WaveSkipped", "ProfileDropped" -> told(event.path("why"), "detail");
      case "TrialClosed" -> {
        JsonNode disposition = event.path("disposition");
        told(disposition, "detail");
        told(disposition, "reason");
        told(disposition.path("why"), "detail");
      }
      case "SweepHalted" -> halt(event.path("cause"));
      case "NoticeIssued" -> {
        halt(event.at("/notice/cause"));
        told(event.at("/notice/what"), "detail");
        told(event.at("/notice/what"), "statement");
      }
      default -> {}
    }
    return event;
  }

  private static void halt(JsonNode cause) {
    told(cause, "detail");
    told(cause, "found");
  }

  /** If the field contains a sentence, replaces it by the statement. */
  private static void told(JsonNode node, String field) {
    if (node.path(field).isTextual()) {
      ((ObjectNode) node)
          .set(field, Json.mapper().valueToTree(OldSentences.statement(node.get(field).asText())));
    }
  }
}
