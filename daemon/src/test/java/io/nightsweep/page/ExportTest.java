package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import io.nightsweep.journal.Redaction;
import io.nightsweep.report.ComparedSweeps;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.SweepState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A night as one file. */
@Tag("page")
@Tag("slow")
class ExportTest {
  @TempDir private Path dir;

  /** Leaderboards of the same cell lie beside the sweep; an unreadable one is named. */
  @Test
  void anExportCarriesTheComparisonWithOtherSweepsOfItsCell() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"))) {
      nights.add("s", Nights.night(1));
      nights.add("earlier", Nights.night(2));
      nights.add("elsewhere", Nights.recorded("schema-3/packed-fsdp4-tp2"));
      nights.add("broken", Nights.night(3));
      Path journal = nights.directory.sweep("broken").journal();
      List<String> lines = Files.readAllLines(journal);
      lines.set(3, "damaged");
      Files.write(journal, lines);

      Path file = dir.resolve("night.html");
      assertThat(
              Export.write(file, nights.directory, nights.directory.sweep("s"), Redaction.byForm()))
          .singleElement()
          .satisfies(why -> assertThat(why).contains("broken", "damaged"));
      JsonNode answers =
          Json.mapper()
              .readTree(
                  Files.readString(file)
                      .replaceFirst("(?s).*id=\"data\">", "")
                      .replaceFirst("(?s)</script>.*", ""));
      for (String lang : List.of("en", "zh")) {
        assertThat(answers.path("api/sweeps?lang=" + lang).findValuesAsText("id"))
            .containsExactly("s", "earlier");
        assertThat(
                answers
                    .path("api/sweeps/s/compare?with=earlier&lang=" + lang)
                    .path("profiles")
                    .size())
            .isEqualTo(
                ComparedSweeps.of(
                        SweepState.fold(Nights.night(2)), SweepState.fold(Nights.night(1)))
                    .profiles()
                    .size())
            .isPositive();
      }
    }
  }

  @Test
  void anExportAsksNobodyForAnything() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"))) {
      List<Entry> night = Nights.night(1);
      nights.add("s", night);
      AttemptId measured =
          SweepState.fold(night)
              .attempts()
              .filter(a -> a.measurement().isPresent())
              .findFirst()
              .orElseThrow()
              .id();
      Path file = dir.resolve("night.html");
      Export.write(file, nights.directory, nights.directory.sweep("s"), Redaction.byForm());
      String html = Files.readString(file);
      assertThat(html)
          .contains("default-src 'none'")
          .contains("api/sweeps/s/history?lang=zh")
          .contains("about=" + measured + "&lang=zh")
          .doesNotContain("src=\"assets")
          .doesNotContain("href=\"assets")
          .doesNotContain("</script><script>alert");
    }
  }
}
