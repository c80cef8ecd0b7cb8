package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;

/**
 * Turns events of schema 6 into those of schema 7, in which halts, questions, incidents and endings
 * are facts, and a catalog says in which range a program may propose values. Schema 6 had an
 * English sentence for each fact, which is kept as it was told, and no such range.
 */
final class FromSchema6 {
  private FromSchema6() {}

  static ObjectNode upgraded(ObjectNode event) {
    for (JsonNode entry : event.at("/spec/catalogs").findValues("entries")) {
      entry.forEach(e -> ((ObjectNode) e).putNull("proposable"));
    }
    switch (event.path("type").asText()) {
      case "SweepHalted" -> {
        JsonNode tried = text(event, "tried");
        told(event, "reason", "cause", "sentence").set("tried", tried);
      }
      case "QuestionAsked" -> told(event, "text", "about", "text");
      case "SweepFinished" -> told(event, "conclusion", "ending", "sentence");
      case "NoticeIssued" -> {
        ObjectNode notice = (ObjectNode) event.path("notice");
        switch (notice.path("type").asText()) {
          case "Incident" -> told(notice, "text", "what", "text");
          case "Stop" -> told(notice, "reason", "cause", "sentence").put("tried", "");
          default -> {}
        }
      }
      default -> {}
    }
    return event;
  }

  private static ObjectNode told(ObjectNode node, String text, String fact, String field) {
    JsonNode sentence = text(node, text);
    ObjectNode told = node.putObject(fact).put("type", "Told");
    told.set(field, sentence);
    return told;
  }

  private static JsonNode text(ObjectNode node, String field) {
    return Objects.requireNonNull(node.remove(field), field);
  }
}
