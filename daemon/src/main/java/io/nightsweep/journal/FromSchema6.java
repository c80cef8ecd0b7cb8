package io.nightsweep.journal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts events of schema 6 to schema 7. In schema 7, halts, questions, incidents, endings,
 * cancellations and departing losses are typed facts, a start records who gave it, and a catalog
 * has the range in which a program may propose values. Schema 6 had an English sentence for each
 * fact; the sentences of the first four are kept. It had no such range. The reasons for planning
 * are left to the decision log.
 */
final class FromSchema6 {
  private static final Pattern LOSS_DIFFERS =
      Pattern.compile("the loss is (\\S+) where the baseline's is (\\S+) within (\\S+)");

  private FromSchema6() {}

  static ObjectNode upgraded(ObjectNode event) {
    for (JsonNode entry : event.at("/spec/catalogs").findValues("entries")) {
      entry.forEach(e -> ((ObjectNode) e).putNull("proposable"));
    }
    switch (event.path("type").asText()) {
      case "SweepStarted" -> event.putNull("by");
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
      case "TrialsPlanned", "ProfileAdded", "ProfileAmended" -> event.remove("because");
      case "CancelRequested" -> event.put("cause", cancelCause(text(event, "reason").asText()));
      case "WaveSkipped", "ProfileDropped" -> otherResult(event.path("why"));
      case "TrialClosed" -> otherResult(event.path("disposition").path("why"));
      default -> {}
    }
    return event;
  }

  static String cancelCause(String sentence) {
    return switch (sentence) {
      case "its profile has left the sweep" -> "LOST_CAUSE";
      case "the sweep is halted" -> "SWEEP_HALTED";
      case "the sweep was stopped" -> "SWEEP_STOPPED";
      case "it was never queued" -> "NEVER_QUEUED";
      default -> "GIVEN_UP";
    };
  }

  private static void otherResult(JsonNode why) {
    if (why.path("type").asText().equals("OtherResult")) {
      ObjectNode cause = (ObjectNode) why;
      String finding = text(cause, "finding").asText();
      Matcher differs = LOSS_DIFFERS.matcher(finding);
      if (differs.matches()) {
        cause.put("type", "LossDiffers");
        cause.put("loss", Double.parseDouble(differs.group(1)));
        cause.put("baseline", Double.parseDouble(differs.group(2)));
        cause.put("within", Double.parseDouble(differs.group(3)));
      } else if (finding.equals("the loss is not a number")) {
        cause.put("type", "LossNotFinite");
      } else {
        cause.put("type", "Told").put("sentence", finding);
      }
    }
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
