package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.asked.AssistantRequest;
import io.nightsweep.asked.Commands;
import io.nightsweep.asked.Confirming;
import io.nightsweep.asked.RefusedException;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import java.io.IOException;

/** What assistants have requested, as the page shows it, and a person's answers to it. */
final class AskedRows {
  private final Confirming confirming;
  private final Redaction redaction;

  AskedRows(Confirming confirming, Redaction redaction) {
    this.confirming = confirming;
    this.redaction = redaction;
  }

  /** Requests that wait for an answer, the oldest first. */
  JsonNode json() throws IOException {
    ArrayNode rows = Json.mapper().createArrayNode();
    for (AssistantRequest call : confirming.waiting()) {
      ObjectNode row =
          rows.addObject()
              .put("id", call.id())
              .put("assistant", call.assistant())
              .put("command", call.line())
              .put("until", call.until().toEpochMilli());
      confirming.files(call).forEach(row.putArray("files")::add);
    }
    return redaction.of(rows);
  }

  /**
   * Carries out or denies the request.
   *
   * @return what the command said
   * @throws RefusedException with the reason, where it was not carried out
   */
  String answer(String id, boolean yes, String who)
      throws IOException, RefusedException, InterruptedException {
    if (!yes) {
      confirming.deny(id, who);
      return id + " is denied";
    }
    Commands.CommandResult outcome = confirming.confirm(id, who);
    String said = redaction.of((outcome.out() + outcome.err()).strip());
    if (outcome.exit() != 0) {
      throw new RefusedException(said);
    }
    return said;
  }
}
