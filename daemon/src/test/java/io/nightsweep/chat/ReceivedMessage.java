package io.nightsweep.chat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A message that a chat has received; {@code file} is read as UTF-8. */
record ReceivedMessage(
    long chat,
    int id,
    String method,
    String text,
    String mode,
    JsonNode markup,
    String file,
    Instant at) {
  List<JsonNode> buttons() {
    List<JsonNode> buttons = new ArrayList<>();
    markup.path("inline_keyboard").forEach(row -> row.forEach(buttons::add));
    return buttons;
  }

  String button(String label) {
    return buttons().stream()
        .filter(b -> b.path("text").asText().startsWith(label))
        .map(b -> b.path("callback_data").asText())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no button " + label + " on: " + text));
  }
}
