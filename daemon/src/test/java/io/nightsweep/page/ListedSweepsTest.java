package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import io.nightsweep.sweep.Entry;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps that nobody has opened yet, including journals that cannot be read. */
@Tag("page")
@Tag("slow")
class ListedSweepsTest {
  @TempDir private Path dir;

  /** A first view does not wait for the journals of a year. */
  @Test
  void nightsThatNobodyHasReadYetAreListedByTheirNames() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"))) {
      List<Entry> night = Nights.night(1);
      for (String name : List.of("a", "b", "c")) {
        nights.add(name, night);
      }
      Http guest = FramesTest.guest(nights);
      JsonNode first = Json.mapper().readTree(guest.get("/api/sweeps").body());
      assertThat(first.findValuesAsText("id")).containsExactlyInAnyOrder("a", "b", "c");
      assertThat(first.findValuesAsText("reading")).hasSize(3);
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                JsonNode next = Json.mapper().readTree(guest.get("/api/sweeps?lang=zh").body());
                assertThat(next.findValuesAsText("reading")).isEmpty();
                assertThat(next.findValuesAsText("model")).hasSize(3);
              });
    }
  }

  @Test
  void aJournalThatCannotBeReadIsToldAndSoIsABug() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"))) {
      List<Entry> night = Nights.night(1);
      nights.add("s", night);
      Path journal = nights.directory.sweep("s").journal();
      List<String> lines = Files.readAllLines(journal);
      lines.set(3, "damaged");
      Files.write(journal, lines);
      Http guest = FramesTest.guest(nights);
      Http.Answer answer = guest.get("/api/sweeps/s");
      assertThat(answer.status()).isEqualTo(500);
      assertThat(Json.mapper().readTree(answer.body()).path("refused").asText())
          .contains("damaged", journal.getFileName().toString());

      nights.bug = Optional.of(new IllegalStateException("an invariant is broken"));
      Http.Answer act = guest.acting().post("/api/sweeps/s/commands", "{\"type\":\"pause\"}");
      assertThat(act.status()).isEqualTo(500);
      assertThat(act.body()).contains("an invariant is broken");
    }
  }

  /** The daemon keeps in memory only the sweeps that it drives. */
  @Test
  void aJournalOfGigabytesIsNotFolded() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.add("s", Nights.night(1));
      Path giant = Files.createDirectories(nights.directory.sweep("giant").root());
      try (RandomAccessFile file =
          new RandomAccessFile(giant.resolve("journal.jsonl").toFile(), "rw")) {
        file.setLength(1L << 31);
      }
      Http guest = FramesTest.guest(nights);
      assertThat(guest.get("/api/sweeps").status()).isEqualTo(200);
      Http.Answer answer = guest.get("/api/sweeps/giant");
      assertThat(answer.status()).isEqualTo(500);
      assertThat(answer.body()).contains("2048 MiB", "nightsweep report --sweep giant");
      assertThat(guest.get("/api/sweeps/s").status()).isEqualTo(200);
    }
  }
}
