package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nightsweep.journal.FileJournal;
import io.nightsweep.journal.OwnedElsewhereException;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class DaemonTest extends DaemonFixture {
  @Test
  void sweepsOnDisjointNodesRunAtOnceAndOverlappingOnesAreRefused() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.handle(start("Qwen 3", "n1", "n2"))).isEqualTo(new Reply.Started("qwen-3"));
      assertThat(daemon.handle(start("qwen-3", "n2", "n3")))
          .isInstanceOfSatisfying(
              Reply.Refused.class,
              r -> assertThat(r.reason()).contains("sweep qwen-3 has pinned n2"));
      assertThat(daemon.handle(start("qwen-3", "n3", "n4")))
          .isEqualTo(new Reply.Started("qwen-3-2"));
      await().atMost(PATIENCE).until(() -> folded("qwen-3").isFinished());
      await().atMost(PATIENCE).until(() -> folded("qwen-3-2").isFinished());
      // The nodes are free once the daemon has closed the journals, shortly after their last
      // events.
      await()
          .atMost(PATIENCE)
          .until(() -> daemon.handle(start("again", "n2", "n3")) instanceof Reply.Started);
    }
    assertThat(parts.cluster.jobsByName().values()).containsOnly(1L);
    assertThat(FileDecisionLog.read(state.sweep("qwen-3").decisions())).isNotEmpty();
  }

  /** The sweep could neither be seen nor stopped, and would occupy its nodes. */
  @Test
  @Tag("people")
  void aSweepWhoseFolderIsRemovedGoesOnNoMoreAndItsNodesAreFree() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(start("s", "n1"));
      await().atMost(PATIENCE).until(() -> !daemon.state("s").orElseThrow().inFlight().isEmpty());
      Files.move(state.sweep("s").root(), state.root().resolve("moved-away"));
      parts.frozen = false;
      await().atMost(PATIENCE).until(() -> daemon.state("s").isEmpty());
      assertThat(daemon.handle(start("t", "n1"))).isEqualTo(new Reply.Started("t"));
      await().atMost(PATIENCE).until(() -> folded("t").isFinished());
    }
    assertThat(state.sweep("s").journal()).doesNotExist();
    assertThat(state.all()).extracting(SweepDirectory::id).containsExactly("t");
  }

  @Test
  @Tag("hours")
  void sweepsOfOneNightTakeTurnsOnTheirNodesAndSpendOneBudget() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.handle(in("one", start("a", "n1", "n2"))))
          .isEqualTo(new Reply.Started("a"));
      assertThat(daemon.handle(in("one", start("b", "n2", "n1"))))
          .isEqualTo(new Reply.Started("b"));
      assertThat(daemon.handle(in("one", start("c", "n2", "n3"))))
          .as("other nodes")
          .isInstanceOf(Reply.Refused.class);
      assertThat(daemon.handle(in("another", start("c", "n1", "n2"))))
          .as("another night")
          .isInstanceOf(Reply.Refused.class);
      assertThat(
              daemon.handle(
                  new Request.Tell(
                      "a", new Command.Resume(Optional.of(List.of("n7")), Optional.empty()), ME)))
          .isInstanceOf(Reply.Refused.class);
      await().atMost(PATIENCE).until(() -> folded("a").isFinished() || folded("b").isFinished());
      daemon.close("SIGTERM");
    }
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      await().atMost(PATIENCE).until(() -> folded("a").isFinished() && folded("b").isFinished());
      daemon.close("SIGTERM");
    }
    SweepState a = folded("a");
    SweepState b = folded("b");
    assertThat(a.jobsTaken() + b.jobsTaken()).isLessThanOrEqualTo(60);
    boolean isLast = a.lastEventAt().isAfter(b.lastEventAt());
    SweepState last = isLast ? a : b;
    SweepState first = isLast ? b : a;
    assertThat(last.budget().jobs().orElseThrow())
        .as("what the other one left is known after a restart")
        .isEqualTo(60 - first.jobsTaken());
  }

  /** Also the first events, whatever name a client gives to its night. */
  @Test
  @Tag("guard")
  void whatAStartJournalsIsMasked() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.handle(in("hf_canaryInTheNight0123456789", start("s", "n1"))))
          .isEqualTo(new Reply.Started("s"));
      daemon.close("SIGTERM");
    }
    assertThat(state.sweep("s").journal()).content().contains("***").doesNotContain("canary");
  }

  /**
   * A validation takes no turn, so it would run at the same time as the sweep that now has the
   * nodes.
   */
  @Test
  @Tag("hours")
  void aSweepThatIsStillToBeReportedIsNotValidatedOnNodesThatAnotherPins() throws Exception {
    CountDownLatch mayWrite = new CountDownLatch(1);
    parts.reporter = (directory, s) -> heldUp(mayWrite);
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(validatable(start("s", "n1")));
      await().atMost(PATIENCE).until(() -> daemon.state("s").orElseThrow().isFinished());
      parts.frozen = true;
      assertThat(daemon.handle(start("t", "n1"))).isInstanceOf(Reply.Started.class);
      assertThat(daemon.state("s")).as("not reported yet").isPresent();
      assertThat(tell(daemon, new Command.Validate()))
          .isInstanceOfSatisfying(
              Reply.Refused.class, r -> assertThat(r.reason()).contains("sweep t has pinned n1"));
      assertThat(folded("s").validationsAsked()).isZero();
      // A daemon that ends waits for files that are being written.
      mayWrite.countDown();
    }
  }

  /** The other sweeps neither count what this one has used nor wait for its turn. */
  @Test
  @Tag("hours")
  void aSweepThatCannotBeTakenUpHoldsUpNobodyOfItsNight() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(in("one", start("a", "n1")));
      await().atMost(PATIENCE).until(() -> folded("a").night().orElseThrow().hasTurn());
      daemon.handle(in("one", start("b", "n1")));
    }
    parts.frozen = false;
    FileJournal elsewhere = FileJournal.open(state.sweep("a").journal(), e -> {});
    try (elsewhere;
        Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.state("a")).isEmpty();
      await().atMost(PATIENCE).until(() -> folded("b").isFinished());
    }
    Daemon next = Daemon.open(state, parts, parts);
    try (next) {
      await().atMost(PATIENCE).until(() -> folded("a").isFinished());
    }
  }

  private static Request.Start in(String night, Request.Start start) {
    return new Request.Start(
        start.name(), start.sweepFile(), start.origin().in(night), start.spec());
  }

  /** They are known before the first run that they are compared with. */
  @Test
  @Tag("people")
  void gainsThatEarlierSweepsHaveShownAreKnownFromTheStart() throws Exception {
    Request.Start start = start("s", "n1");
    SortedMap<String, Double> gains = new TreeMap<>(Map.of("0123456789abcdef", 1.1));
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(
          new Request.Start(start.name(), start.sweepFile(), start.origin(), start.spec(), gains));
      assertThat(folded("s").knownGains()).isEqualTo(gains);
    }
  }

  /** A name becomes part of command lines and of file paths. */
  @ParameterizedTest
  @Tag("people")
  @CsvSource({"-rf-ranks=1, rf-ranks-1", "模型-ranks=1, ranks-1", "../../x, x"})
  void aSweepsIdIsNoOptionOfACommand(String name, String id) throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.handle(start(name, "n1"))).isEqualTo(new Reply.Started(id));
    }
  }

  @Test
  @Tag("people")
  void aSweepOfALongNameStarts() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.handle(start("x".repeat(400), "n1")))
          .isEqualTo(new Reply.Started("x".repeat(100)));
    }
  }

  @Test
  void aStoppedDaemonsSweepIsTakenUpWhereItWas() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      await().atMost(PATIENCE).until(() -> folded("s").attempts().count() > 3);
      daemon.close("SIGTERM");
    }
    SweepState before = folded("s");
    assertThat(before.isFinished()).isFalse();
    assertThat(entries("s").getLast().event()).isEqualTo(new Event.DaemonStopped("SIGTERM"));
    assertThat(before.inFlight()).as("jobs left running").isNotEmpty();

    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      await().atMost(PATIENCE).until(() -> folded("s").isFinished());
      assertThat(daemon.handle(new Request.Sweeps()))
          .isInstanceOfSatisfying(Reply.Hosting.class, h -> assertThat(h.broken()).isEmpty());
    }
    assertThat(parts.cluster.jobsByName().values()).containsOnly(1L);
    assertThat(folded("s").trials().values()).noneMatch(t -> t.isOpen());
    assertThat(entries("s").stream().map(Entry::event))
        .filteredOn(Event.DaemonStarted.class::isInstance)
        .hasSize(2);
  }

  @Test
  void aStateDirectoryHasOneDaemonAndASweepOneDriver() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThatThrownBy(() -> Daemon.open(state, parts, parts))
          .isInstanceOf(OwnedElsewhereException.class);
      parts.frozen = true;
      daemon.handle(start("s", "n1"));
      assertThatThrownBy(() -> FileJournal.open(state.sweep("s").journal(), e -> {}))
          .isInstanceOf(OwnedElsewhereException.class);
    }
  }

  @Test
  void aDamagedSweepIsNamedAndTheOthersGoOn() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.frozen = true;
      daemon.handle(start("bad", "n1"));
      daemon.handle(start("good", "n2"));
      await().atMost(PATIENCE).until(() -> entries("bad").size() > 4);
    }
    Path journal = state.sweep("bad").journal();
    byte[] bytes = Files.readAllBytes(journal);
    bytes[20] ^= 1;
    Files.write(journal, bytes);
    parts.frozen = false;
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      await().atMost(PATIENCE).until(() -> folded("good").isFinished());
      assertThat(daemon.handle(new Request.Sweeps()))
          .isInstanceOfSatisfying(
              Reply.Hosting.class,
              h -> assertThat(h.broken().get("bad")).contains("journal.jsonl:1 "));
      assertThat(daemon.handle(new Request.Tell("bad", new Command.Pause(), ME)))
          .isInstanceOf(Reply.Refused.class);
    }
    assertThat(Files.readAllBytes(journal)).isEqualTo(bytes);
  }

  @Test
  @Tag("guard")
  void aStartOnAFullDiskLeavesNothingBehind() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      Path sweeps = state.root().resolve("sweeps");
      // Room for the sweep file and its origin, but not for the journal.
      run("mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", sweeps.toString());
      try {
        assertThat(daemon.handle(start("s", "n1")))
            .isInstanceOfSatisfying(
                Reply.Refused.class,
                r -> assertThat(r.reason()).contains("nothing was done", "disk"));
        assertThat(state.all()).isEmpty();
        assertThat(state.sweep("s").root()).doesNotExist();
      } finally {
        run("umount", sweeps.toString());
      }
      assertThat(daemon.handle(start("s", "n1"))).isEqualTo(new Reply.Started("s"));
    }
  }

  @Test
  @Tag("guard")
  void filesThatOverflowTheStackCostOneStartOrOneSweep() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      parts.overflows = true;
      assertThatThrownBy(() -> daemon.handle(start("s", "n1")))
          .isInstanceOf(StackOverflowError.class);
      assertThat(state.all()).isEmpty();
      parts.overflows = false;
      parts.frozen = true;
      assertThat(daemon.handle(start("s", "n1"))).isEqualTo(new Reply.Started("s"));
    }
    parts.overflows = true;
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.handle(new Request.Sweeps()))
          .isInstanceOfSatisfying(
              Reply.Hosting.class, h -> assertThat(h.broken()).containsEntry("s", "canary"));
    }
    parts.overflows = false;
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      assertThat(daemon.state("s")).as("no lock is left").isPresent();
    }
  }

  /** As when writing waits for the lock of the model's pages, or for its file server. */
  @Test
  @Tag("guard")
  void aReportThatIsHeldUpHoldsUpNoLookAndIsWrittenInTheEnd() throws Exception {
    CountDownLatch mayWrite = new CountDownLatch(1);
    List<SweepState> written = new CopyOnWriteArrayList<>();
    parts.reporter =
        (directory, s) -> {
          heldUp(mayWrite);
          written.add(s);
        };
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      await().atMost(PATIENCE).until(() -> folded("s").isFinished());
      // Kept until its report is written.
      await()
          .during(Duration.ofSeconds(2))
          .atMost(PATIENCE)
          .until(() -> daemon.state("s").isPresent());
      mayWrite.countDown();
      await().atMost(PATIENCE).until(() -> daemon.state("s").isEmpty());
    } finally {
      mayWrite.countDown();
    }
    assertThat(written.getLast().isDone()).isTrue();
    assertThat(written).as("one writing for all news of the meantime").hasSizeLessThan(4);
  }

  @Test
  void commandsAreJournaledBeforeTheyActAndSenselessOnesRefused() throws Exception {
    try (Daemon daemon = Daemon.open(state, parts, parts)) {
      daemon.handle(start("s", "n1"));
      assertThat(tell(daemon, resume())).isInstanceOf(Reply.Refused.class);
      assertThat(tell(daemon, new Command.Pause())).isEqualTo(new Reply.Accepted());
      assertThat(folded("s").phase()).isEqualTo(new Phase.Paused());
      assertThat(tell(daemon, new Command.Pause())).isInstanceOf(Reply.Refused.class);
      assertThat(tell(daemon, new Command.Resume(Optional.empty(), Optional.of("p99"))))
          .isInstanceOfSatisfying(
              Reply.Refused.class, r -> assertThat(r.reason()).contains("no profile 'p99'", "p1"));
      await().atMost(PATIENCE).until(() -> folded("s").inFlight().isEmpty());
      long attempts = folded("s").attempts().count();
      Thread.sleep(1200);
      assertThat(folded("s").attempts().count()).as("nothing is submitted").isEqualTo(attempts);
      assertThat(tell(daemon, resume())).isEqualTo(new Reply.Accepted());
      await().atMost(PATIENCE).until(() -> folded("s").attempts().count() > attempts);
      assertThat(tell(daemon, new Command.Stop(Command.Stop.Mode.CANCEL)))
          .isEqualTo(new Reply.Accepted());
      await().atMost(PATIENCE).until(() -> folded("s").isFinished());
      await()
          .atMost(PATIENCE)
          .until(() -> tell(daemon, new Command.Pause()) instanceof Reply.Refused);
      assertThat(daemon.handle(new Request.Tell("nosuch", new Command.Pause(), ME)))
          .isInstanceOf(Reply.Refused.class);
    }
  }

  private static Command resume() {
    return new Command.Resume(Optional.empty(), Optional.empty());
  }

  private static Reply tell(Daemon daemon, Command command) throws InterruptedException {
    return tell(daemon, "s", command);
  }

  private static void heldUp(CountDownLatch latch) throws InterruptedIOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
  }
}
