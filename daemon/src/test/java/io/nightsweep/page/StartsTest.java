package io.nightsweep.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.ScheduledStart;
import io.nightsweep.engine.ScheduledStarts;
import io.nightsweep.journal.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that wait for their hour, as the page shows them. */
@Tag("page")
class StartsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @TempDir private Path dir;

  private static ScheduledStart start(ZonedDateTime first, boolean weekly) {
    return start(first, weekly, Optional.empty());
  }

  private static ScheduledStart start(
      ZonedDateTime first, boolean weekly, Optional<ScheduledStart.StartOutcome> last) {
    return new ScheduledStart(
        1,
        Path.of("/home/me/sweep.yaml"),
        ClusterChoice.Kind.SLURM,
        first.toInstant(),
        weekly,
        first.getZone(),
        last);
  }

  @Test
  void whatWaitsWhatWasRefusedAndWhatIsDamagedIsListed() throws Exception {
    try (Nights nights = new Nights(dir.resolve("state"));
        ScheduledStarts starts =
            ScheduledStarts.open(
                nights.directory,
                s -> new ScheduledStart.StartOutcome(Instant.now(), false, "no such node", false),
                (text, told) -> told.run())) {
      ZonedDateTime tomorrow = ZonedDateTime.now(BERLIN).plusDays(1).withNano(0);
      starts.add(start(tomorrow, true));
      starts.add(start(tomorrow.minusDays(2), false));
      Files.writeString(dir.resolve("state/scheduled/9.json"), "damaged");
      Http guest = FramesTest.guest(nights);
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> guest.get("/api/starts").body().contains("no such node"));
      JsonNode rows = Json.mapper().readTree(guest.get("/api/starts").body());
      assertThat(rows).hasSize(3);
      assertThat(rows.get(0).path("at").asLong()).isEqualTo(tomorrow.toInstant().toEpochMilli());
      assertThat(rows.get(0).path("weekly").asBoolean()).isTrue();
      assertThat(rows.get(1).has("at")).isFalse();
      assertThat(rows.get(1).at("/last/succeeded").asBoolean(true)).isFalse();
      assertThat(rows.get(2).path("file").asText()).endsWith("9.json");
      assertThat(rows.get(2).path("damaged").asBoolean()).isTrue();
    }
  }

  /** Summer time ended on the 25th of October 2026. */
  @Test
  void aWeeklyStartKeepsItsHour() {
    ZonedDateTime friday = ZonedDateTime.of(2026, 10, 23, 20, 0, 0, 0, BERLIN);
    ScheduledStart weekly =
        start(
            friday,
            true,
            Optional.of(
                new ScheduledStart.StartOutcome(friday.toInstant(), true, "started", true)));
    for (ZonedDateTime now : new ZonedDateTime[] {friday, friday.plusWeeks(1).minusSeconds(1)}) {
      assertThat(weekly.next(now.toInstant())).contains(friday.plusWeeks(1).toInstant());
    }
    assertThat(weekly.next(friday.plusWeeks(1).toInstant()))
        .contains(friday.plusWeeks(2).toInstant());
    assertThat(start(friday, true).next(friday.plusYears(1).toInstant()))
        .contains(friday.toInstant());
  }
}
