package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.sim.VirtualClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People hear of what the daemon suffers without asking it. */
@Tag("guard")
class AlarmsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONG_LOOK = Duration.ofSeconds(2);
  private static final Map<String, Alarms.Alarm> HUNG =
      Map.of("look s", new Alarms.Alarm("hangs", Optional.of("goes on")));

  @TempDir Path dir;
  private StateDirectory state;
  private final SimulatedParts parts = new SimulatedParts();

  private final VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T22:00:00Z"));
  private final List<String> told = new ArrayList<>();
  private Path file;

  @BeforeEach
  void stateDirectory() {
    file = dir.resolve("alarms.json");
    state = new StateDirectory(dir.resolve("state"));
  }

  @Test
  void aTroubleIsToldWhenItBeginsAndWhenItIsOverAtMostEveryTenMinutes() {
    Alarms alarms = alarms();
    alarms.look(Map.of(), Set.of());
    alarms.look(HUNG, Set.of());
    alarms.look(HUNG, Set.of());
    assertThat(told).containsExactly("hangs");
    alarms.look(Map.of(), Set.of());
    alarms.look(Map.of(), Set.of());
    assertThat(told).containsExactly("hangs", "goes on");
    clock.advance(Duration.ofMinutes(9));
    alarms.look(HUNG, Set.of());
    alarms.look(Map.of(), Set.of());
    assertThat(told).as("within ten minutes").hasSize(2);
    alarms.look(HUNG, Set.of());
    clock.advance(Duration.ofMinutes(2));
    alarms.look(HUNG, Set.of());
    assertThat(told).as("still there after it").containsExactly("hangs", "goes on", "hangs");
    alarms.look(Map.of("another", new Alarms.Alarm("hangs too", Optional.empty())), Set.of());
    assertThat(told).containsExactly("hangs", "goes on", "hangs", "hangs too", "goes on");
  }

  @Test
  void aDaemonThatFollowsNeitherRepeatsNorForgetsWhatPeopleHaveHeard() {
    alarms().look(HUNG, Set.of());
    for (int minute = 0; minute < 30; minute++) {
      clock.advance(Duration.ofMinutes(1));
      alarms().look(Map.of(), HUNG.keySet());
      alarms().look(HUNG, Set.of());
    }
    assertThat(told).as("it hangs again in each of them").containsExactly("hangs");
    alarms().look(Map.of(), Set.of());
    assertThat(told).containsExactly("hangs", "goes on");
  }

  @Test
  void aDaemonThatFollowsKeepsTheTenMinutes() {
    twice(HUNG);
    twice(Map.of());
    clock.advance(Duration.ofMinutes(9));
    twice(HUNG);
    assertThat(told).containsExactly("hangs", "goes on");
    clock.advance(Duration.ofMinutes(1));
    twice(HUNG);
    assertThat(told).containsExactly("hangs", "goes on", "hangs");
  }

  @Test
  void whatHasNotReachedPeopleIsToldAgain() {
    new Alarms((text, heard) -> {}, clock, file).look(HUNG, Set.of());
    twice(HUNG);
    assertThat(told).containsExactly("hangs");
  }

  @Test
  void aDamagedFileCostsTheMemoryAlone() throws Exception {
    twice(HUNG);
    String whole = Files.readString(file);
    for (String damaged :
        List.of(
            "",
            "null",
            "[]",
            whole.substring(0, whole.length() / 2),
            "{\"look s\":null}",
            whole.replace("true", "null"),
            whole.replaceFirst("\"at\":\"[^\"]*", "\"at\":\"+1000000000-01-01T00:00:00Z"))) {
      Files.writeString(file, damaged);
      told.clear();
      twice(HUNG);
      twice(Map.of());
      assertThat(told).as(damaged).last().isEqualTo("goes on");
    }
    Files.delete(file);
    run("mkfifo", file.toString());
    told.clear();
    twice(HUNG);
    assertThat(told).as("a pipe").containsExactly("hangs");
    twice(HUNG);
    assertThat(told).as("a file has taken its place").containsExactly("hangs");
  }

  private Alarms alarms() {
    return new Alarms(
        (text, heard) -> {
          told.add(text);
          heard.run();
        },
        clock,
        file);
  }

  private void twice(Map<String, Alarms.Alarm> troubles) {
    alarms().look(troubles, Set.of());
    alarms().look(troubles, Set.of());
  }

  @Test
  void aSweepThatCannotBeTakenUpIsTold() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(DaemonTest.start("bad", "n1"));
    }
    Path journal = state.sweep("bad").journal();
    byte[] bytes = Files.readAllBytes(journal);
    bytes[20] ^= 1;
    Files.write(journal, bytes);
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.alarm(LONG_LOOK);
      Files.setLastModifiedTime(journal, FileTime.from(parts.instant().minus(Duration.ofDays(2))));
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced)
          .as("once, and nothing of its end")
          .singleElement()
          .asString()
          .contains("NOT DRIVEN", "sweep bad", "journal.jsonl:1 ");
    }
    parts.announced.clear();
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced).as("nobody mended it in a day").isEmpty();
    }
  }

  @Test
  void aLookThatDoesNotEndIsTold() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(DaemonTest.start("s", "n1"));
      daemon.handle(DaemonTest.start("t", "n2"));
      await().atMost(PATIENCE).until(() -> daemon.hosting().stream().allMatch(h -> h.hasLooked()));
      daemon.alarm(PATIENCE);
      assertThat(parts.announced).isEmpty();
      parts.hang(daemon, "s", LONG_LOOK);
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced)
          .singleElement()
          .asString()
          .contains("NOT LOOKED AT", "sweep s", "2 s");
      parts.hanging = Optional.empty();
      await().atMost(PATIENCE).until(() -> daemon.blocked(LONG_LOOK).isEmpty());
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced).hasSize(2).last().asString().contains("sweep s has ended");
    }
  }

  @Test
  void aDaemonThatFollowsSaysThatALongLookIsOverOnceItHasLookedItself() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(DaemonTest.start("s", "n1"));
      parts.hang(daemon, "s", LONG_LOOK);
      daemon.alarm(LONG_LOOK);
    }
    try (Daemon next = Daemon.open(state, parts, parts)) {
      next.alarm(LONG_LOOK);
      await().atMost(PATIENCE).until(() -> next.blocked(LONG_LOOK).contains("s"));
      next.alarm(LONG_LOOK);
      assertThat(parts.announced).singleElement().asString().contains("NOT LOOKED AT");
      parts.hanging = Optional.empty();
      await().atMost(PATIENCE).until(() -> next.hosting().stream().allMatch(h -> h.hasLooked()));
      await().atMost(PATIENCE).until(() -> next.blocked(LONG_LOOK).isEmpty());
      next.alarm(LONG_LOOK);
      assertThat(parts.announced).hasSize(2).last().asString().contains("sweep s has ended");
    } finally {
      parts.hanging = Optional.empty();
    }
  }

  @Test
  void aJournalThatCannotBeWrittenIsTold() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      Path sweeps = state.root().resolve("sweeps");
      run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", sweeps.toString());
      try {
        daemon.handle(DaemonTest.start("s", "n1"));
        run("sh", "-c", "head -c 1m /dev/zero >" + sweeps.resolve("full") + " || true");
        await()
            .atMost(PATIENCE)
            .until(() -> daemon.hosting().stream().anyMatch(h -> h.storageFailure().isPresent()));
        daemon.alarm(LONG_LOOK);
        assertThat(parts.announced)
            .singleElement()
            .asString()
            .contains("WAITING", "journal of sweep s");
        Files.delete(sweeps.resolve("full"));
        await()
            .atMost(PATIENCE)
            .until(() -> daemon.hosting().stream().allMatch(h -> h.storageFailure().isEmpty()));
        daemon.alarm(LONG_LOOK);
        assertThat(parts.announced).hasSize(2).last().asString().contains("can be written again");
      } finally {
        daemon.close("SIGTERM");
        run("umount", sweeps.toString());
      }
    }
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
