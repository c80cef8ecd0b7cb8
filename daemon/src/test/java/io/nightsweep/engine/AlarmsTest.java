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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** People are notified of the daemon's own troubles. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class AlarmsTest extends DaemonFixture {
  private static final Duration LONG_LOOK = Duration.ofSeconds(2);

  @Test
  void aTroubleIsToldWhenItBeginsAndWhenItIsOverAtMostEveryTenMinutes() {
    VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T22:00:00Z"));
    List<String> told = new ArrayList<>();
    Alarms alarms = new Alarms(told::add, clock);
    Map<String, Alarms.Alarm> hung =
        Map.of("look s", new Alarms.Alarm("hangs", Optional.of("goes on")));
    alarms.look(Map.of());
    alarms.look(hung);
    alarms.look(hung);
    assertThat(told).containsExactly("hangs");
    alarms.look(Map.of());
    alarms.look(Map.of());
    assertThat(told).containsExactly("hangs", "goes on");
    clock.advance(Duration.ofMinutes(9));
    alarms.look(hung);
    alarms.look(Map.of());
    assertThat(told).as("within ten minutes").hasSize(2);
    alarms.look(hung);
    clock.advance(Duration.ofMinutes(2));
    alarms.look(hung);
    assertThat(told).as("still there after it").containsExactly("hangs", "goes on", "hangs");
    alarms.look(Map.of("another", new Alarms.Alarm("hangs too", Optional.empty())));
    assertThat(told).containsExactly("hangs", "goes on", "hangs", "hangs too", "goes on");
  }

  @Test
  void aSweepThatCannotBeTakenUpIsTold() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(start("bad", "n1"));
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
      daemon.handle(start("s", "n1"));
      daemon.handle(start("t", "n2"));
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
  void aJournalThatCannotBeWrittenIsTold() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      Path sweeps = state.root().resolve("sweeps");
      run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", sweeps.toString());
      try {
        daemon.handle(start("s", "n1"));
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
}
