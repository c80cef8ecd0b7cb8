package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.files.OwnFile;
import io.nightsweep.journal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Starts wait for their hour, even while no daemon runs, and each happens once. */
@Tag("people")
@Tag("slow")
class ScheduledStartsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONG_ENOUGH_FOR_A_WRONG_START = Duration.ofMillis(1500);
  private static final ScheduledStarts.Starter NEVER =
      start -> {
        throw new AssertionError("started: " + start);
      };

  @TempDir private Path scratch;
  private StateDirectory state;
  private final List<ScheduledStart> made = new CopyOnWriteArrayList<>();
  private final List<String> announced = new CopyOnWriteArrayList<>();
  private boolean tellingWorks = true;

  @BeforeEach
  void directory() throws IOException {
    state = new StateDirectory(scratch.resolve("state"));
    state.create();
  }

  private ScheduledStart.StartOutcome make(ScheduledStart start) {
    made.add(start);
    return new ScheduledStart.StartOutcome(Instant.now(), true, "started m", false);
  }

  private void announce(String text, Runnable done) {
    announced.add(text);
    if (tellingWorks) {
      done.run();
    }
  }

  /** Once, even if the daemon ended before anybody could be notified. */
  @Test
  void peopleAreToldOfAStartThatWasRefused() throws Exception {
    ScheduledStarts.Starter refusing =
        start ->
            new ScheduledStart.StartOutcome(
                Instant.now(), false, "n1 is drained; resume n1", false);
    tellingWorks = false;
    try (ScheduledStarts starts = ScheduledStarts.open(state, refusing, this::announce)) {
      starts.add(at(Instant.now(), false));
      await().atMost(PATIENCE).until(() -> !announced.isEmpty());
    }
    tellingWorks = true;
    for (int daemon = 0; daemon < 2; daemon++) {
      ScheduledStarts.open(state, NEVER, this::announce).close();
    }
    assertThat(announced)
        .hasSize(2)
        .allSatisfy(
            text ->
                assertThat(text)
                    .contains(
                        "NOT STARTED: /home/me/sweep.yaml",
                        "n1 is drained",
                        "nightsweep doctor /home/me/sweep.yaml"));
    assertThat(ScheduledStarts.of(state).getFirst().isRefused()).isTrue();
  }

  private static ScheduledStart at(Instant hour, boolean weekly) {
    return new ScheduledStart(
        0,
        Path.of("/home/me/sweep.yaml"),
        ClusterChoice.Kind.SLURM,
        hour,
        weekly,
        ZoneId.of("Europe/Berlin"),
        Optional.empty());
  }

  @Test
  void aStartIsMadeAtItsHourOnce() throws Exception {
    try (ScheduledStarts starts = ScheduledStarts.open(state, this::make, this::announce)) {
      Instant hour = Instant.now().plusSeconds(1);
      assertThat(starts.add(at(hour, false))).isEqualTo(new Reply.Scheduled(1));
      assertThat(starts.isWaiting()).isTrue();
      await().atMost(PATIENCE).until(() -> !ScheduledStarts.of(state).getFirst().isWaiting());
      assertThat(made).hasSize(1);
      assertThat(ScheduledStarts.of(state).getFirst().last().orElseThrow().at())
          .isAfterOrEqualTo(hour.truncatedTo(ChronoUnit.MILLIS));
      await().atMost(PATIENCE).until(() -> !starts.isWaiting());
    }
    try (ScheduledStarts next = ScheduledStarts.open(state, NEVER, this::announce)) {
      assertThat(next.isWaiting()).isFalse();
    }
  }

  @Test
  void anHourThatPassedWithoutADaemonIsMadeUpForByTheNextOne() throws Exception {
    try (ScheduledStarts starts = ScheduledStarts.open(state, NEVER, this::announce)) {
      starts.add(at(Instant.now().plus(Duration.ofHours(3)), false));
    }
    // The file contains the hour; three hours pass.
    ScheduledStart kept = ScheduledStarts.of(state).getFirst();
    OwnFile.write(
        state.root().resolve("scheduled/1.json"),
        Json.mapper()
            .writeValueAsString(
                new ScheduledStart(
                    kept.id(),
                    kept.file(),
                    kept.cluster(),
                    Instant.now().minus(Duration.ofHours(3)),
                    kept.weekly(),
                    kept.zone(),
                    kept.last())));
    try (ScheduledStarts next = ScheduledStarts.open(state, this::make, this::announce)) {
      await().atMost(PATIENCE).until(() -> !next.isWaiting());
      await().atMost(PATIENCE).until(() -> !ScheduledStarts.of(state).getFirst().isWaiting());
    }
    assertThat(made).hasSize(1);
  }

  @Test
  void aWeeklyStartThatWasMadeWaitsForNextWeekAndMissedWeeksAreOneStart() throws Exception {
    Instant hour = Instant.now().minus(Duration.ofDays(15)).truncatedTo(ChronoUnit.MINUTES);
    write(at(hour, true), 1, Instant.now().minus(Duration.ofDays(1)));
    try (ScheduledStarts starts = ScheduledStarts.open(state, NEVER, this::announce)) {
      Thread.sleep(LONG_ENOUGH_FOR_A_WRONG_START.toMillis());
      assertThat(starts.isWaiting()).isTrue();
    }
    write(at(hour, true), 1, hour);
    try (ScheduledStarts starts = ScheduledStarts.open(state, this::make, this::announce)) {
      await().atMost(PATIENCE).until(() -> !made.isEmpty());
      Thread.sleep(LONG_ENOUGH_FOR_A_WRONG_START.toMillis());
      assertThat(made).hasSize(1);
      assertThat(starts.isWaiting()).isTrue();
    }
  }

  private void write(ScheduledStart start, int id, Instant last) throws IOException {
    OwnFile.write(
        state.root().resolve("scheduled/" + id + ".json"),
        Json.mapper()
            .writeValueAsString(
                new ScheduledStart(
                    id,
                    start.file(),
                    start.cluster(),
                    start.first(),
                    start.weekly(),
                    start.zone(),
                    Optional.of(new ScheduledStart.StartOutcome(last, true, "started m", false)))));
  }

  @Test
  void aStartThatIsForgottenIsNotMade() throws Exception {
    try (ScheduledStarts starts = ScheduledStarts.open(state, NEVER, this::announce)) {
      starts.add(at(Instant.now().plusSeconds(1), false));
      assertThat(starts.remove(1)).isEqualTo(new Reply.Accepted());
      assertThat(starts.remove(1)).isInstanceOf(Reply.Refused.class);
      assertThat(starts.isWaiting()).isFalse();
      assertThat(ScheduledStarts.of(state)).isEmpty();
      Thread.sleep(LONG_ENOUGH_FOR_A_WRONG_START.toMillis());
    }
  }

  @Test
  void aDamagedFileStopsNeitherTheDaemonNorTheOtherStarts() throws Exception {
    OwnFile.write(state.root().resolve("scheduled/1.json"), "{\"id\": 1, \"fi");
    OwnFile.write(state.root().resolve("scheduled/2.json"), "{}");
    try (ScheduledStarts starts = ScheduledStarts.open(state, this::make, this::announce)) {
      assertThat(starts.add(at(Instant.now(), false))).isEqualTo(new Reply.Scheduled(3));
      await().atMost(PATIENCE).until(() -> !ScheduledStarts.of(state).getFirst().isWaiting());
      assertThat(made).hasSize(1);
    }
  }

  /** No such file may end the daemon at every start. */
  @Test
  @Tag("guard")
  @Timeout(60)
  void whatIsNoStartOfItsNameIsPassedOver() throws Exception {
    ScheduledStart sound = at(Instant.now(), false);
    for (int name : List.of(1, 2)) {
      OwnFile.write(
          state.root().resolve("scheduled/" + name + ".json"),
          Json.mapper().writeValueAsString(withId(2, sound.first().plus(Duration.ofDays(1)))));
    }
    OwnFile.write(
        state.root().resolve("scheduled/3.json"),
        Json.mapper().writeValueAsString(withId(3, Instant.MAX)));
    Path pipe = state.root().resolve("scheduled/4.json");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Files.createSymbolicLink(state.root().resolve("scheduled/5.json"), Path.of("/dev/zero"));
    OwnFile.write(state.root().resolve("scheduled/6.json"), "null");
    try (ScheduledStarts starts = ScheduledStarts.open(state, this::make, this::announce)) {
      assertThat(ScheduledStarts.of(state)).extracting(ScheduledStart::id).containsExactly(2);
      assertThat(starts.add(sound)).isEqualTo(new Reply.Scheduled(7));
      await().atMost(PATIENCE).until(() -> made.size() == 1);
    }
  }

  private static ScheduledStart withId(int id, Instant hour) {
    ScheduledStart start = at(hour, false);
    return new ScheduledStart(
        id,
        start.file(),
        start.cluster(),
        start.first(),
        start.weekly(),
        start.zone(),
        start.last());
  }
}
