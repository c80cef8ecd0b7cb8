package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.Explanation;
import io.nightsweep.engine.Reply;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.ProfileVerdict;
import io.nightsweep.sim.Budgets;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.CancelCause;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames applied one after another give the state, wherever a night is cut. */
@Tag("page")
@Tag("slow")
class FramesTest {
  private static final Instant AT = Instant.parse("2026-01-02T00:00:00Z");
  @TempDir private Path dir;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void framesOfAnyPiecesAddUpToTheWhole(long seed) {
    assertThat(sections(Nights.night(seed), seed))
        .contains("sweep", "attempts", "board", "waves", "baseline");
  }

  /** After a resume on other nodes earlier measurements do not count. */
  @ParameterizedTest
  @ValueSource(strings = {"rough-4", "rough-57", "rough-72", "rough-83"})
  void aSweepThatMovedToOtherNodesHasNoOldRows(String journal) throws Exception {
    List<Entry> night = Nights.recorded("schema-2/" + journal);
    assertThat(night).anyMatch(e -> e.event() instanceof Event.CellRepinned);
    assertThat(sections(night, 7)).contains("sweep", "attempts");
  }

  /** The page shows, as status does, whose turn it is in a night that sweeps share. */
  @Test
  @Tag("people")
  void theTurnOfASharedNightIsShownUntilTheSweepHasFinished() {
    List<Entry> alone = Nights.night(1);
    List<Entry> joined = and(alone.subList(0, 1), new Event.NightJoined("one"));
    Budget share = Budgets.ofJobs(40);
    List<Entry> begun = and(joined, new Event.TurnTaken(share, new TreeMap<>()));
    List<Entry> whole = begun;
    for (Entry entry : alone.subList(1, alone.size())) {
      whole = and(whole, entry.event());
    }
    assertThat(row(alone).has("turn")).isFalse();
    assertThat(row(joined).path("turn").asText()).isEqualTo("waits for its turn in the night one");
    assertThat(row(begun).path("turn").asText()).isEqualTo("has its turn in the night one");
    assertThat(row(whole).path("finished").asBoolean()).isTrue();
    assertThat(row(whole).has("turn")).isFalse();
  }

  private static Set<String> sections(List<Entry> night, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Frames frames = new Frames(seed % 2 == 0 ? Phrases.ZH : Phrases.EN, new Boards());
    Map<String, Map<String, JsonNode>> page = new TreeMap<>();
    SweepState shown = SweepState.empty();
    SweepState now = SweepState.empty();
    Set<String> sections = new HashSet<>();
    for (Entry entry : night) {
      now = now.apply(entry);
      if (random.nextInt(4) > 0) {
        continue;
      }
      put(page, frames.between(shown, now, AT));
      shown = now;
      Map<String, Map<String, JsonNode>> whole = new TreeMap<>();
      put(whole, frames.whole(now, AT));
      // Steps are sent while a job runs, and do not change afterwards.
      page.remove("steps");
      whole.remove("steps");
      page.values().removeIf(Map::isEmpty);
      assertThat(page).isEqualTo(whole);
      sections.addAll(whole.keySet());
    }
    return sections;
  }

  private static void put(Map<String, Map<String, JsonNode>> page, Frame frame) {
    if (frame.whole()) {
      page.clear();
    }
    frame.complete().forEach(page::remove);
    frame
        .rows()
        .forEach(
            (section, rows) -> page.computeIfAbsent(section, s -> new TreeMap<>()).putAll(rows));
  }

  @Test
  void anEventSendsWhatItChangedAndNotTheNight() {
    SweepState now = SweepState.empty();
    Frames frames = new Frames(Phrases.EN, new Boards());
    List<Entry> night = Nights.night(1);
    long most = 0;
    for (Entry entry : night) {
      SweepState next = now.apply(entry);
      Frame frame = frames.between(now, next, AT);
      if (entry.event() instanceof Event.AttemptProgressed progressed) {
        assertThat(frame.rows().keySet()).isSubsetOf("sweep", "attempts", "waves");
        assertThat(frame.rows().get("attempts")).containsOnlyKeys(progressed.attempt().toString());
        most = Math.max(most, frame.json(Redaction.byForm()).toString().length());
      }
      now = next;
    }
    long whole = frames.whole(now, AT).json(Redaction.byForm()).toString().length();
    assertThat(whole).isGreaterThan(10 * most);
  }

  @Test
  void aReconnectIsAReplayAndAnUnchangedSweepIsNotSentAgain() throws Exception {
    List<Entry> night = Nights.night(1);
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.add("s", night);
      Http guest = guest(nights);
      Http.Answer first = guest.get("/api/sweeps/s");
      assertThat(first.status()).isEqualTo(200);
      assertThat(first.header("ETag")).startsWith("W/\"" + night.size() + "-");
      assertThat(first.header("Vary")).contains("Accept-Encoding");
      Http.Answer again = guest.with("If-None-Match", first.header("ETag")).get("/api/sweeps/s");
      assertThat(again.status()).isEqualTo(304);
      assertThat(again.body()).isEmpty();

      // Another sweep of the same name with the same number of events.
      Files.delete(nights.directory.sweep("s").journal());
      nights.add("s", night.stream().map(e -> later(e)).toList());
      assertThat(guest.with("If-None-Match", first.header("ETag")).get("/api/sweeps/s").status())
          .isEqualTo(200);

      // Not everything, but enough: the page's content and the new frames give what a new page
      // gets.
      int had = night.size() / 2;
      long started =
          SweepState.fold(night).startedAt().orElseThrow().plusSeconds(3600).toEpochMilli();
      String stream =
          guest
              .with("Last-Event-ID", "" + had)
              .until("/api/sweeps/s/events?started=" + started, "\"seq\":" + night.size());
      assertThat(stream).contains("id: " + night.size() + "\n").contains("event: frame\n");
      JsonNode frame =
          Json.mapper()
              .readTree(
                  stream
                      .lines()
                      .filter(line -> line.startsWith("data: {\"seq\":"))
                      .findFirst()
                      .orElseThrow()
                      .substring("data: ".length()));
      assertThat(frame.path("whole").asBoolean()).isFalse();
      // A browser keeps nothing of the earlier sweep of that name.
      assertThat(
              guest
                  .with("Last-Event-ID", "" + had)
                  .until("/api/sweeps/s/events?started=1", "\"seq\":" + night.size()))
          .contains("\"whole\":true");
      SweepState then = SweepState.fold(night.subList(0, had));
      Frame expected =
          new Frames(Phrases.EN, new Boards()).between(then, SweepState.fold(night), AT);
      assertThat(frame.at("/put/attempts").size())
          .isEqualTo(Objects.requireNonNull(expected.rows().get("attempts")).size())
          .isLessThan(Json.mapper().readTree(first.body()).at("/put/attempts").size());
    }
  }

  private static Entry later(Entry e) {
    return new Entry(e.seq(), e.at().plusSeconds(3600), e.event());
  }

  /** The board, the drawer and the command line have one source. */
  @Test
  void aVerdictIsSaidAsExplainSaysIt() throws Exception {
    List<Entry> night = Nights.night(1);
    SweepState s = SweepState.fold(night);
    assertThat(s.dropped()).isNotEmpty();
    JsonNode board =
        new Frames(Phrases.EN, new Boards()).whole(s, AT).json(Redaction.byForm()).at("/put/board");
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.add("s", night);
      Http guest = guest(nights);
      board
          .properties()
          .forEach(
              row -> {
                String line =
                    ProfileVerdict.lines(s, row.getKey()).getFirst().replaceFirst("verdict +", "");
                assertThat(
                        read(guest, "/api/sweeps/s/explain?about=" + row.getKey())
                            .path("verdict")
                            .asText())
                    .isEqualTo(line);
                if (s.isDropped(row.getKey())) {
                  assertThat(row.getValue().path("verdictText").asText())
                      .contains("left the sweep: ");
                  assertThat(line).contains(row.getValue().path("verdictText").asText());
                }
              });
    }
  }

  private static JsonNode read(Http guest, String path) {
    try {
      return Json.mapper().readTree(guest.get(path).body());
    } catch (Exception e) {
      throw new AssertionError(path, e);
    }
  }

  @Test
  void noEndIsPromisedWhileAPersonIsWaitedForAndAPauseSaysWhose() {
    List<Entry> half = KeyboardIT.underWay(Nights.night(7));
    assertThat(row(half).has("expectedEnd")).isFalse();
    assertThat(row(half).path("asks").asInt()).isEqualTo(2);
    List<Entry> running = half.subList(0, half.size() - 2);
    assertThat(row(running).path("expectedEnd").asLong()).isPositive();
    JsonNode paused =
        row(
            and(
                running,
                new Event.CommandAccepted(
                    new Command.Pause(),
                    new Command.Origin(Command.Origin.Door.TELEGRAM, "alice"))));
    assertThat(paused.has("expectedEnd")).isFalse();
    assertThat(paused.at("/by/who").asText()).isEqualTo("alice");
    assertThat(paused.at("/by/door").asText()).isEqualTo("Telegram");
  }

  /** A job that the daemon itself ended is cancelled, and needs no investigation. */
  @Test
  void aJobThatAStopCancelledIsNoFailure() {
    List<Entry> half = Nights.night(7);
    int end =
        IntStream.range(0, half.size())
            .filter(i -> half.get(i).event() instanceof Event.AttemptStarted)
            .skip(5)
            .findFirst()
            .orElseThrow();
    List<Entry> before = half.subList(0, end + 1);
    AttemptId job = ((Event.AttemptStarted) half.get(end).event()).attempt();
    Event.AttemptEnded ended =
        half.stream()
            .map(Entry::event)
            .filter(e -> e instanceof Event.AttemptEnded x && x.attempt().equals(job))
            .map(Event.AttemptEnded.class::cast)
            .findFirst()
            .orElseThrow();
    Judgement.Failed failed =
        new Judgement.Failed(
            new Diagnosis("unclassified", 0, List.of(), Statement.words("cancelled"), List.of()));
    List<Entry> night =
        and(
            before,
            new Event.CancelRequested(job, CancelCause.SWEEP_STOPPED),
            new Event.AttemptEnded(
                job,
                new JobEnd(
                    JobEnd.State.CANCELLED,
                    0,
                    ended.end().startedAt(),
                    ended.end().endedAt(),
                    JobEnd.Source.QUEUE)),
            new Event.AttemptJudged(job, failed));
    JsonNode put = whole(night);
    assertThat(put.path("failures").has(job.toString())).isFalse();
    assertThat(put.path("attempts").path(job.toString()).path("status").asText())
        .isEqualTo("cancelled");
  }

  private static List<Entry> and(List<Entry> night, Event... events) {
    List<Entry> more = new ArrayList<>(night);
    for (Event event : events) {
      more.add(new Entry(more.getLast().seq() + 1, more.getLast().at(), event));
    }
    return more;
  }

  private static JsonNode whole(List<Entry> night) {
    SweepState s = SweepState.fold(night);
    return new Frames(Phrases.EN, new Boards())
        .whole(s, s.lastEventAt())
        .json(Redaction.byForm())
        .path("put");
  }

  private static JsonNode row(List<Entry> night) {
    return whole(night).at("/sweep/sweep");
  }

  /** One reading serves everything that an export explains. */
  @Test
  void groundsThatAreKeptReadNoFile() throws Exception {
    List<Entry> night = Nights.night(1);
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.explained("s", night);
      SweepState s = SweepState.fold(night);
      SweepDirectory directory = nights.directory.sweep("s");
      Explanation.Grounds grounds = Explanation.Grounds.of(directory).kept();
      Optional<String> about = Optional.of("p1");
      Explanation before = Explanation.of(Explanation.Grounds.of(directory), s, about, 20);
      Files.delete(directory.journal());
      Files.delete(directory.decisions());
      assertThat(before.steps()).isNotEmpty().anyMatch(step -> !step.after().isEmpty());
      assertThat(Explanation.of(grounds, s, about, 20)).isEqualTo(before);
    }
  }

  @Test
  void metricsAreThoseOfTheDrivenSweeps() throws Exception {
    List<Entry> night = Nights.night(1);
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.add("s", night);
      SweepState state = SweepState.fold(night.subList(0, night.size() / 2));
      nights.driven = Optional.of(state);
      String id = state.sweep();
      assertThat(guest(nights).get("/metrics").body())
          .contains("nightsweep_sweep_jobs{sweep=\"" + id + "\"} " + state.jobsTaken() + ".0")
          .contains("nightsweep_sweep_phase{phase=\"running\",sweep=\"" + id + "\"} 1.0")
          .contains("jvm_memory_used_bytes");
    }
  }

  static Http guest(Nights nights) throws IOException {
    Reply.PageOpen page = nights.open();
    Http anyone = new Http(page.port());
    Http.Answer in = anyone.get(page.link().replaceFirst("^http://[^/]*", ""));
    return anyone.with("Cookie", in.header("Set-Cookie").split(";")[0]);
  }
}
