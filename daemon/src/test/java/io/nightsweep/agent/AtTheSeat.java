package io.nightsweep.agent;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.asked.Commands;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A seat over its own state directory; its commands only report their arguments. */
abstract class AtTheSeat {
  static final String SECRET = "hf_" + "abcdefghijklmnopqrstuvwxyz0123456789";
  @TempDir Path state;
  final List<List<String>> ran = new ArrayList<>();
  final AtomicInteger late = new AtomicInteger();
  Instant now = Instant.parse("2026-11-22T20:00:00Z");
  String printed = "{\"phase\":\"running\"}\n";
  Path file = Path.of("");
  Optional<String> against = Optional.empty();
  Seat seat;

  @BeforeEach
  void aSeat() throws IOException {
    file = Files.writeString(state.resolve("sweep.yaml"), "model: m\nworkload: {}\n");
    seat = new Seat("bob", state, this::runs, Redaction.of(Map.of("HF_TOKEN", SECRET)), () -> now);
  }

  /**
   * Acts like the real commands: a mere check reports the sweep and its files, and changes nothing.
   */
  private Commands.CommandResult runs(List<String> arguments) {
    if (!arguments.getLast().equals("--check")) {
      ran.add(arguments);
      return new Commands.CommandResult(0, printed, "");
    }
    if (against.isPresent()) {
      return new Commands.CommandResult(4, "", against.get());
    }
    String sweep =
        arguments.stream()
            .filter(word -> word.startsWith("--sweep="))
            .map(word -> word.substring("--sweep=".length()))
            .findFirst()
            .orElse(arguments.getFirst().equals("start") ? "" : "night-1");
    List<String> reads = arguments.contains(file.toString()) ? List.of(file.toString()) : List.of();
    return new Commands.CommandResult(
        0, Json.mapper().valueToTree(Map.of("sweep", sweep, "reads", reads)) + "\n", "");
  }

  static JsonNode json(Answer answer) throws IOException {
    return Json.mapper().readTree(answer.text());
  }
}
