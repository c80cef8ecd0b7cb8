package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A row a sweep, as the page's list shows them. */
final class SweepList {
  private final StateDirectory directory;
  private final Histories histories;
  private final Boards boards;
  private final InstantSource clock;
  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /** A row of a sweep that nobody drives, by the length of its journal. */
  private record Known(long bytes, ObjectNode row) {}

  SweepList(StateDirectory directory, Histories histories, Boards boards, InstantSource clock) {
    this.directory = directory;
    this.histories = histories;
    this.boards = boards;
    this.clock = clock;
  }

  ArrayNode json(Phrases t) throws IOException {
    List<ObjectNode> rows = new ArrayList<>();
    for (SweepDirectory sweep : directory.all()) {
      row(sweep, t).ifPresent(rows::add);
    }
    rows.sort(
        Comparator.comparing((ObjectNode row) -> row.path("finished").asBoolean())
            .thenComparing(row -> -row.path("startedAt").asLong()));
    ArrayNode json = Json.mapper().createArrayNode();
    rows.forEach(json::add);
    return json;
  }

  private Optional<ObjectNode> row(SweepDirectory sweep, Phrases t) throws IOException {
    boolean driven = histories.isDriven(sweep.id());
    String key = sweep.id() + t.suffix();
    long bytes = Files.size(sweep.journal());
    Known last = known.get(key);
    if (!driven && last != null && last.bytes() == bytes) {
      return Optional.of(last.row());
    }
    ObjectNode row = Json.mapper().createObjectNode();
    try {
      Optional<SweepState> state = histories.now(sweep.id());
      if (state.flatMap(SweepState::startedSpec).isEmpty()) {
        return Optional.empty();
      }
      new SweepRow(t).fill(row, state.get(), boards.of(state.get()), clock.instant());
    } catch (IOException e) {
      row.put("error", String.valueOf(e.getMessage()));
    }
    row.put("id", sweep.id()).put("driven", driven);
    if (driven) {
      known.remove(key);
    } else {
      known.put(key, new Known(bytes, row));
    }
    return Optional.of(row);
  }
}
