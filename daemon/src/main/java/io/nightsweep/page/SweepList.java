package io.nightsweep.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.journal.Json;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The page's list of sweeps, one row each. A sweep's journal is folded once for its row, in the
 * background and one at a time; until then the row has only the name, so no request waits for a
 * year's journals.
 */
final class SweepList implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SweepList.class);

  private final StateDirectory directory;
  private final Histories histories;
  private final Boards boards;
  private final InstantSource clock;
  private final Map<String, KnownRows> known = new ConcurrentHashMap<>();
  private final Set<String> asked = ConcurrentHashMap.newKeySet();
  private final ExecutorService reader =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("page-list").factory());

  /**
   * The rows of a sweep that is not running in the daemon, by language; an empty sweep has none.
   */
  private record KnownRows(Histories.Stamp stamp, Map<String, ObjectNode> rows) {}

  SweepList(StateDirectory directory, Histories histories, Boards boards, InstantSource clock) {
    this.directory = directory;
    this.histories = histories;
    this.boards = boards;
    this.clock = clock;
  }

  /** All sweeps, the unfinished ones first, then the latest. */
  ArrayNode json(Phrases t) throws IOException {
    List<ObjectNode> rows = new ArrayList<>();
    for (SweepDirectory sweep : directory.all()) {
      try {
        row(sweep, t).ifPresent(rows::add);
      } catch (NoSuchFileException e) {
        // The sweep was removed meanwhile.
        known.remove(sweep.id());
      }
    }
    rows.sort(
        Comparator.comparing((ObjectNode row) -> row.path("finished").asBoolean())
            .thenComparing(row -> -row.path("startedAt").asLong()));
    ArrayNode json = Json.mapper().createArrayNode();
    rows.forEach(json::add);
    return json;
  }

  ObjectNode row(SweepDirectory sweep, SweepState s, Phrases t) {
    ObjectNode row = Json.mapper().createObjectNode();
    new SweepRow(t).fill(row, s, boards.of(s), clock.instant());
    return row.put("id", sweep.id()).put("driven", histories.isDriven(sweep.id()));
  }

  private Optional<ObjectNode> row(SweepDirectory sweep, Phrases t) throws IOException {
    if (histories.isDriven(sweep.id())) {
      known.remove(sweep.id());
      return histories.now(sweep).map(s -> row(sweep, s, t));
    }
    Histories.Stamp stamp = Histories.Stamp.of(sweep.journal());
    KnownRows last = known.get(sweep.id());
    if (last != null && last.stamp().equals(stamp)) {
      return Optional.ofNullable(last.rows().get(t.suffix()));
    }
    if (asked.add(sweep.id())) {
      reader.execute(() -> read(sweep, stamp));
    }
    return last == null
        ? Optional.of(byName(sweep))
        : Optional.ofNullable(last.rows().get(t.suffix()));
  }

  private static ObjectNode byName(SweepDirectory sweep) throws IOException {
    return Json.mapper()
        .createObjectNode()
        .put("id", sweep.id())
        .put("reading", true)
        .put("driven", false)
        .put("finished", JournalReader.endsFinished(sweep.journal()))
        .put("startedAt", Files.getLastModifiedTime(sweep.journal()).toMillis());
  }

  private void read(SweepDirectory sweep, Histories.Stamp stamp) {
    Map<String, ObjectNode> rows = new ConcurrentHashMap<>();
    try {
      Optional<SweepState> state = histories.now(sweep);
      for (Phrases t : Phrases.values()) {
        state.ifPresent(s -> rows.put(t.suffix(), row(sweep, s, t)));
      }
    } catch (IOException | RuntimeException e) {
      log.warn("the page cannot read sweep {}: {}", sweep.id(), e.toString());
      for (Phrases t : Phrases.values()) {
        rows.put(t.suffix(), unreadable(sweep, e));
      }
    } finally {
      known.put(sweep.id(), new KnownRows(stamp, Map.copyOf(rows)));
      asked.remove(sweep.id());
    }
  }

  private static ObjectNode unreadable(SweepDirectory sweep, Exception why) {
    return Json.mapper()
        .createObjectNode()
        .put("id", sweep.id())
        .put("driven", false)
        .put("error", String.valueOf(why.getMessage()));
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }
}
