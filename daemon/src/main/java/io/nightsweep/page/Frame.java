package io.nightsweep.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What changed between two states of a sweep: rows by section and key. A row replaces the one with
 * its key, so frames can be applied one after the other, and more than once.
 *
 * @param seq the last event of the later state
 * @param whole whether the receiver must drop everything it had
 * @param complete sections that this frame contains in full: a row missing from it is gone
 */
record Frame(
    long seq,
    Instant at,
    boolean whole,
    SortedSet<String> complete,
    Map<String, Map<String, ObjectNode>> rows) {
  Frame {
    complete = Collections.unmodifiableSortedSet(new TreeSet<>(complete));
    rows = Map.copyOf(rows);
  }

  /** A frame that is filled row by row. */
  static final class Builder {
    private final Map<String, Map<String, ObjectNode>> rows = new TreeMap<>();
    private final SortedSet<String> complete = new TreeSet<>();

    /** Marks the section as complete: a row that this frame lacks no longer exists. */
    void complete(String section) {
      complete.add(section);
    }

    ObjectNode row(String section, String key) {
      ObjectNode row = Json.mapper().createObjectNode();
      rows.computeIfAbsent(section, s -> new TreeMap<>()).put(key, row);
      return row;
    }

    Frame build(long seq, Instant at, boolean whole) {
      return new Frame(seq, at, whole, complete, rows);
    }
  }

  /** The frame as it is sent, with secrets removed from every text. */
  JsonNode json(Redaction redaction) {
    ObjectNode json = Json.mapper().createObjectNode();
    json.put("seq", seq).put("at", at.toEpochMilli()).put("whole", whole);
    complete.forEach(json.putArray("complete")::add);
    ObjectNode put = json.putObject("put");
    rows.forEach(
        (section, keyed) -> {
          ObjectNode into = put.putObject(section);
          keyed.forEach((key, row) -> into.set(redaction.of(key), redaction.of(row)));
        });
    return json;
  }
}
