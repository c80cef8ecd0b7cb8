package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a browser receives to show a night's earlier states, and what that costs the daemon. */
@Tag("page")
@Tag("slow")
class RewindsTest {
  @TempDir private Path dir;
  private Nights nights;

  @BeforeEach
  void open() throws IOException {
    nights = new Nights(dir.resolve("state"));
  }

  @AfterEach
  void close() {
    nights.close();
  }

  @Test
  void theFramesAddUpToTheLastOfThem() throws Exception {
    List<Entry> night = Nights.night(1);
    nights.add("s", night);
    JsonNode frames =
        Json.mapper()
            .readTree(FramesTest.guest(nights).get("/api/sweeps/s/history").body())
            .path("frames");
    assertThat(frames.size()).isBetween(50, Rewinds.FRAMES);
    int last = frames.get(frames.size() - 1).path("seq").asInt();
    assertThat(night.size() - last).isLessThan(night.size() / 50);
    Map<String, Map<String, JsonNode>> rows = new TreeMap<>();
    for (JsonNode frame : frames) {
      frame.path("complete").forEach(section -> rows.remove(section.asText()));
      put(rows, frame);
    }
    Map<String, Map<String, JsonNode>> whole = new TreeMap<>();
    put(
        whole,
        new Frames(Phrases.EN, new Boards())
            .whole(SweepState.fold(night.subList(0, last)), night.get(last - 1).at())
            .json(Redaction.byForm()));
    // A journal's frames are text; both are read from it.
    assertThat(Json.mapper().readTree(Json.mapper().writeValueAsString(rows)))
        .isEqualTo(Json.mapper().readTree(Json.mapper().writeValueAsString(whole)));
  }

  private static void put(Map<String, Map<String, JsonNode>> page, JsonNode frame) {
    frame
        .path("put")
        .properties()
        .forEach(
            section ->
                section
                    .getValue()
                    .properties()
                    .forEach(
                        row ->
                            page.computeIfAbsent(section.getKey(), s -> new TreeMap<>())
                                .put(row.getKey(), row.getValue())));
  }

  /**
   * The journal of 50,000 events is read once, whoever requests it and however often, until a frame
   * is due.
   */
  @Test
  void aNightIsReadOnceForAllWhoWalkItBack() throws Exception {
    List<Entry> night = Nights.night(1);
    SweepState state = SweepState.fold(night.subList(0, night.size() - 1));
    nights.add(state.sweep(), night.subList(0, night.size() - 1));
    nights.driven = Optional.of(state);
    assertThat(Rewinds.RewindKey.of(state))
        .isEqualTo(Rewinds.RewindKey.of(state.apply(night.getLast())));
    Http guest = FramesTest.guest(nights);
    String path = "/api/sweeps/" + state.sweep() + "/history";
    Http.Answer first = guest.get(path);
    assertThat(first.status()).isEqualTo(200);

    Files.writeString(nights.directory.sweep(state.sweep()).journal(), "unreadable\nunreadable\n");
    nights.driven = Optional.of(state.apply(night.getLast()));
    assertThat(guest.get(path).body()).isEqualTo(first.body());
    assertThat(guest.with("Accept-Encoding", "gzip").get(path).header("Content-Encoding"))
        .isEqualTo("gzip");
    assertThat(guest.with("If-None-Match", first.header("ETag")).get(path).status()).isEqualTo(304);
  }

  /** A stream that stays open for days reads its own sweep, and not all sweeps. */
  @Test
  void aStreamListsNoFolderToSeeItsSweep() throws Exception {
    List<Entry> night = Nights.night(1);
    nights.add("s", night);
    SweepDirectory sweep = nights.directory.sweep("s");
    StateDirectory none = new StateDirectory(dir.resolve("none"));
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    try (Views views =
        new Views(none, new Histories(none, nights), Redaction.byForm(), InstantSource.system())) {
      EventStream stream =
          new EventStream(
              views, new AskedRows(nights.confirming, Redaction.byForm()), sweep, Phrases.EN, sent);
      stream.follow(0, "", true);
    }
    assertThat(sent.toString(StandardCharsets.UTF_8))
        .contains("event: frame\n", "\"seq\":" + night.size());
  }

  @Test
  void aJournalThatCannotBeReadIsNotKeptAsANight() throws Exception {
    List<Entry> night = Nights.night(1);
    nights.add("s", night);
    SweepDirectory sweep = nights.directory.sweep("s");
    SweepState state = SweepState.fold(night);
    Rewinds rewinds = new Rewinds(Redaction.byForm());
    String whole = Files.readString(sweep.journal());
    Files.writeString(sweep.journal(), whole.replaceFirst("(?m)^(.{20})", "damaged"));
    assertThatThrownBy(() -> rewinds.packed(sweep, state, Phrases.EN))
        .isInstanceOf(IOException.class);
    Files.writeString(sweep.journal(), whole);
    assertThat(rewinds.packed(sweep, state, Phrases.EN)).isNotEmpty();
  }
}
