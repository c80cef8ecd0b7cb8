package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.sim.VirtualClock;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Phase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** People hear of what the daemon suffers without asking it. */
@Tag("guard")
class AlarmsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LONG_LOOK = Duration.ofSeconds(2);
  private static final Command.Origin ME = new Command.Origin(Command.Origin.Door.CLI, "me");

  @TempDir Path dir;
  private StateDirectory state;
  private final SimulatedParts parts = new SimulatedParts();

  @BeforeEach
  void stateDirectory() {
    state = new StateDirectory(dir.resolve("state"));
  }

  @Test
  void aTroubleIsToldWhenItBeginsAndWhenItIsOverAtMostOnceAnHour() {
    VirtualClock clock = new VirtualClock(Instant.parse("2026-01-01T22:00:00Z"));
    List<String> told = new ArrayList<>();
    Alarms alarms = new Alarms(told::add, clock);
    Map<String, Alarms.Trouble> hung = Map.of("look s", new Alarms.Trouble("hangs", "goes on"));
    alarms.look(Map.of());
    alarms.look(hung);
    alarms.look(hung);
    assertThat(told).containsExactly("hangs");
    alarms.look(Map.of());
    alarms.look(Map.of());
    assertThat(told).containsExactly("hangs", "goes on");
    clock.advance(Duration.ofMinutes(59));
    alarms.look(hung);
    alarms.look(Map.of());
    assertThat(told).as("within the hour").hasSize(2);
    alarms.look(hung);
    clock.advance(Duration.ofMinutes(2));
    alarms.look(hung);
    assertThat(told).as("still there after it").containsExactly("hangs", "goes on", "hangs");
    alarms.look(Map.of("another", new Alarms.Trouble("hangs too", "")));
    assertThat(told).containsExactly("hangs", "goes on", "hangs", "hangs too", "goes on");
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
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced)
          .singleElement()
          .asString()
          .contains("NOT DRIVEN", "sweep bad", "journal.jsonl:1 ");
    }
  }

  @Test
  void aLookThatDoesNotEndIsToldAndHoldsUpNeitherOtherSweepsNorWhoAsks() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(DaemonTest.start("s", "n1"));
      daemon.handle(DaemonTest.start("t", "n2"));
      await().atMost(PATIENCE).until(() -> daemon.hosting().stream().allMatch(h -> h.hasLooked()));
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced).isEmpty();
      parts.hanging = Optional.of("s");
      await().atMost(PATIENCE).until(() -> daemon.blocked(LONG_LOOK).equals(List.of("s")));
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced)
          .singleElement()
          .asString()
          .contains("NOT LOOKED AT", "sweep s");
      CompletableFuture<Reply> paused =
          CompletableFuture.supplyAsync(() -> pause(daemon, "s"), Thread::startVirtualThread);
      assertThat(daemon.handle(DaemonTest.start("u", "n3"))).isEqualTo(new Reply.Started("u"));
      assertThat(pause(daemon, "t")).isEqualTo(new Reply.Accepted());
      assertThat(paused).as("both were answered before").isNotDone();
      assertThat(paused.get())
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              r -> assertThat(r.reason()).contains("a look at sweep s", "nothing was done"));
      parts.hanging = Optional.empty();
      await().atMost(PATIENCE).until(() -> daemon.blocked(LONG_LOOK).isEmpty());
      daemon.alarm(LONG_LOOK);
      assertThat(parts.announced).hasSize(2).last().asString().contains("sweep s", "goes on");
      assertThat(daemon.state("s").orElseThrow().phase()).isInstanceOf(Phase.Running.class);
      assertThat(pause(daemon, "s")).isEqualTo(new Reply.Accepted());
    }
  }

  private static Reply pause(Daemon daemon, String sweep) {
    try {
      return daemon.handle(new Request.Tell(sweep, new Command.Pause(), ME));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
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
