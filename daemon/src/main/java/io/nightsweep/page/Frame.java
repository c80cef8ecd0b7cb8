package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * What changed between two states of a sweep: rows by section and key. A row replaces the one that
 * was there, so that frames may be put one on top of the other, and twice.
 *
 * @param seq the last event of the later state
 * @param whole whether what was there before is to be forgotten
 */
record Frame(long seq, Instant at, boolean whole, Map<String, Map<String, ObjectNode>> rows) {
  Frame {
    rows = Map.copyOf(rows);
  }

  /** A frame that is filled row by row. */
  static final class Builder {
    private final Map<String, Map<String, ObjectNode>> rows = new TreeMap<>();

    ObjectNode row(String section, String key) {
      ObjectNode row = Json.mapper().createObjectNode();
      rows.computeIfAbsent(section, s -> new TreeMap<>()).put(key, row);
      return row;
    }

    Frame build(long seq, Instant at, boolean whole) {
      return new Frame(seq, at, whole, rows);
    }
  }

  /** As it is sent: every text has passed the redaction. */
  JsonNode json(Redaction redaction) {
    ObjectNode json = Json.mapper().createObjectNode();
    json.put("seq", seq).put("at", at.toEpochMilli()).put("whole", whole);
    ObjectNode put = json.putObject("put");
    rows.forEach(
        (section, keyed) -> {
          ObjectNode into = put.putObject(section);
          keyed.forEach((key, row) -> into.set(redaction.of(key), redaction.of(row)));
        });
    return json;
  }
}
