package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sweeps are listed, and finished ones removed. */
@Tag("people")
class CleanTest extends OverPastNights {

  @Test
  void sweepsAreListedAndTheFinishedOnesRemoved() throws IOException {
    assertThat(say("sweeps").out()).contains("no sweep in");
    SweepDirectory done = sweep("done", NIGHT.size());
    SweepDirectory half = sweep("half", NIGHT.size() / 2);
    assertThat(say("sweeps").out().lines())
        .hasSize(3)
        .anyMatch(l -> l.matches("done +winner +2026-01-01 \\d\\d:00 +p3 \\+8\\.\\d %"))
        .anyMatch(l -> l.matches("half +no daemon +2026-01-01 \\d\\d:00"));
    assertThat(say("clean").code()).isEqualTo(ExitCode.USAGE);
    Typed refused = say("clean", "done", "half");
    assertThat(refused.code()).isEqualTo(ExitCode.REFUSED);
    assertThat(refused.err()).contains("nightsweep stop --sweep half");
    assertThat(done.root()).exists();
    Typed asked = say("clean", "--all");
    assertThat(asked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(asked.err())
        .containsPattern("--all would remove 1 sweep, \\d[\\d.]* [kM]B on disk: done; .*--yes");
    assertThat(done.root()).exists();
    assertThat(say("clean", "--all", "--yes").out().lines())
        .containsExactly("kept half, which has not finished", "removed done");
    assertThat(say("clean", "--all").out()).contains("no sweep in ", " has finished");
    assertThat(done.root()).doesNotExist();
    assertThat(half.root()).exists();
    assertThat(say("clean", "nosuch").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  /** Running sweeps come first, then the latest, which people look for in the morning. */
  @Test
  void unfinishedSweepsAreListedFirstAndThenTheLatest() throws IOException {
    sweep("c-tonight", NIGHT.size());
    night(
        "a-yesterday",
        NIGHT.stream()
            .map(e -> new Entry(e.seq(), e.at().minus(Duration.ofDays(1)), e.event()))
            .toList());
    night(
        "b-goes-on",
        NIGHT.subList(0, NIGHT.size() / 2).stream()
            .map(e -> new Entry(e.seq(), e.at().minus(Duration.ofDays(2)), e.event()))
            .toList());
    String listed = say("sweeps").out();
    assertThat(listed.lines().map(line -> line.split(" ")[0]))
        .containsExactly("b-goes-on", "c-tonight", "a-yesterday", "no");
    // According to the journal that a killed daemon left, the sweep still runs.
    assertThat(listed)
        .containsPattern("b-goes-on +no daemon ")
        .contains("go on: nightsweep start")
        .doesNotContain("running");
  }

  /** A later sweep of the same name would find the removed sweep's jobs in the queue. */
  @Test
  void theQueueOfThisMachineForgetsTheJobsOfARemovedSweep() throws IOException {
    Path gone = job(1, sweep("done", NIGHT.size()));
    Path stays = job(2, sweep("half", NIGHT.size() / 2));
    assertThat(say("clean", "done").code()).isZero();
    assertThat(gone).doesNotExist();
    assertThat(stays).exists();
  }

  /** A job that ran for a second, as the queue keeps it. */
  private Path job(int id, SweepDirectory sweep) throws IOException {
    Path queue = Files.createDirectories(dir.resolve("state").resolve("local"));
    return Files.writeString(
        queue.resolve(id + ".json"),
        """
        {"id":%d,"name":"ns-%s-t0001a1","user":"me","nodes":["n1"],"directory":"%s","limitMillis":1000,
         "pid":1,"birth":1,"startedAt":1000,"endedAt":2000,"cancelledAt":0,"overtimeAt":0}
        """
            .formatted(id, sweep.id(), sweep.job(AttemptId.parse("t0001a1")).directory()));
  }

  /**
   * Jobs may leave paths that are too long for one system call, and files that cannot be removed.
   */
  @Test
  @Tag("guard")
  void whatAJobLeftHoldsUpTheRemovalOfItsOwnSweepAlone() throws Exception {
    SweepDirectory busy = sweep("busy", NIGHT.size());
    SweepDirectory deep = sweep("deep", NIGHT.size());
    Path jobs = Files.createDirectories(deep.root().resolve("jobs"));
    shell("cd " + jobs + " && mkdir -p $(printf '%0200d/' $(seq 40))");
    Path mounted = Files.createDirectories(busy.root().resolve("jobs").resolve("t0001a1"));
    shell("mount -t tmpfs -o size=64k tmpfs " + mounted);
    try {
      Typed said = say("clean", "--all", "--yes");
      assertThat(said.code()).isEqualTo(ExitCode.FAILED);
      assertThat(said.out().lines()).containsExactly("removed deep");
      assertThat(said.err()).contains("busy could not be removed", mounted.toString());
      assertThat(deep.root()).doesNotExist();
      assertThat(say("sweeps").out()).as("what is left is known").contains("busy");
    } finally {
      shell("umount " + mounted);
    }
    assertThat(say("clean", "busy").code()).isEqualTo(ExitCode.OK);
    assertThat(busy.root()).doesNotExist();
  }

  private static void shell(String line) throws Exception {
    assertThat(new ProcessBuilder("sh", "-c", line).inheritIO().start().waitFor()).isZero();
  }
}
