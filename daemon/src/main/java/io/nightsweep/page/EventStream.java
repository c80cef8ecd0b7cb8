package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Server-sent events of one sweep (HTML Living Standard, 9.2). A frame's id is the sequence number
 * of its last event; a browser that reconnects sends the id and gets the events after it.
 */
final class EventStream {
  /** How often the state is checked; events within this time share a frame. */
  private static final Duration LOOK = Duration.ofMillis(150);

  /**
   * How often a comment is sent on a quiet stream, so that each side notices when the other is
   * gone.
   */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

  private static final Duration LIST = Duration.ofSeconds(1);

  private final Views views;
  private final AskedRows asked;
  private final SweepDirectory sweep;
  private final Phrases t;
  private final OutputStream out;

  private final Map<AttemptId, Integer> stepsSent = new HashMap<>();
  private final Map<String, JsonNode> listsSent = new HashMap<>();

  EventStream(Views views, AskedRows asked, SweepDirectory sweep, Phrases t, OutputStream out) {
    this.views = views;
    this.asked = asked;
    this.sweep = sweep;
    this.t = t;
    this.out = out;
  }

  /**
   * Writes until the browser or the sweep is gone, or once.
   *
   * @param after the last event that the browser has; 0 for none
   * @param started start of the sweep that {@code after} belongs to, in milliseconds of the epoch;
   *     if another sweep now has the name, all of it is sent
   * @param once whether to stop after the first look at the state
   */
  void follow(long after, String started, boolean once) throws IOException, InterruptedException {
    SweepState shown =
        after > 0
            ? views
                .histories()
                .at(sweep, after)
                .filter(s -> started.equals(s.startedAt().map(EventStream::millis).orElse("")))
                .orElse(SweepState.empty())
            : SweepState.empty();
    Instant written = Instant.EPOCH;
    Instant listed = views.now();
    send("build", Optional.empty(), TextNode.valueOf(Views.BUILD));
    lists();
    while (true) {
      Optional<SweepState> now = views.histories().now(sweep);
      if (now.isEmpty()) {
        return;
      }
      if (now.get().seq() != shown.seq() || !now.get().startedAt().equals(shown.startedAt())) {
        // A shorter journal, or one with another start, belongs to another sweep.
        boolean isSame =
            now.get().seq() > shown.seq() && now.get().startedAt().equals(shown.startedAt());
        SweepState from = isSame ? shown : SweepState.empty();
        send("frame", Optional.of(now.get().seq()), views.between(from, now.get(), t));
        shown = now.get();
        views.histories().shown(sweep, shown);
        written = views.now();
      }
      if (steps(now.get())) {
        written = views.now();
      }
      if (Duration.between(listed, views.now()).compareTo(LIST) >= 0) {
        listed = views.now();
        if (lists()) {
          written = listed;
        }
      }
      if (Duration.between(written, views.now()).compareTo(SIGN_OF_LIFE) >= 0) {
        write(": still here\n\n");
        written = views.now();
      }
      if (once) {
        return;
      }
      Thread.sleep(LOOK);
    }
  }

  private static String millis(Instant at) {
    return Long.toString(at.toEpochMilli());
  }

  /** Sends those lists that changed since they were last sent; they belong to no single sweep. */
  private boolean lists() throws IOException {
    boolean hasSent = false;
    for (String name : List.of("sweeps", "asked", "starts")) {
      JsonNode now =
          switch (name) {
            case "sweeps" -> views.sweeps(t);
            case "asked" -> asked.json();
            default -> views.starts();
          };
      if (!now.equals(listsSent.put(name, now))) {
        send(name, Optional.empty(), now);
        hasSent = true;
      }
    }
    return hasSent;
  }

  /**
   * Sends the steps that running jobs have printed since the last call. The journal does not have
   * them, so they carry no id, and a new stream gets all of them again.
   */
  private boolean steps(SweepState now) throws IOException {
    ObjectNode rows = Json.mapper().createObjectNode();
    for (AttemptState a : now.inFlight()) {
      List<Measurement.MeasuredStep> steps = views.histories().steps(sweep.id(), a.id());
      int from = stepsSent.getOrDefault(a.id(), 0);
      if (steps.size() > from) {
        AttemptRows.series(
            rows.putObject(a.id().toString()).put("from", from), steps.subList(from, steps.size()));
        stepsSent.put(a.id(), steps.size());
      }
    }
    if (!rows.isEmpty()) {
      send("steps", Optional.empty(), rows);
    }
    return !rows.isEmpty();
  }

  private void send(String event, Optional<Long> id, JsonNode data) throws IOException {
    // A line end would end the field; the JSON has none.
    write(
        id.map(seq -> "id: " + seq + "\n").orElse("")
            + "event: "
            + event
            + "\ndata: "
            + Json.mapper().writeValueAsString(data)
            + "\n\n");
  }

  private void write(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }
}
