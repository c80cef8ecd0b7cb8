package io.nightsweep.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo has its own state, and one that was left halfway blocks nothing. */
@Tag("people")
class DemoIT {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path dir;
  private StateDirectory own = new StateDirectory(Path.of("nowhere"));

  /** An installation without the launcher, since the launcher would rebuild it. */
  @BeforeEach
  void home() throws IOException {
    own = new StateDirectory(dir.resolve("state/demo"));
    Path root = Path.of("..").toRealPath();
    for (String part : List.of("templates", "playbooks", "flags", "native")) {
      Files.createSymbolicLink(
          Files.createDirectories(dir.resolve("home")).resolve(part), root.resolve(part));
    }
    // The user's own sweep, which the demo must not touch.
    Files.createDirectories(dir.resolve("state/sweeps/mine"));
    Files.writeString(dir.resolve("state/sweeps/mine/journal.jsonl"), "");
  }

  @AfterEach
  void endTheDaemon() throws Exception {
    new DaemonClient(own).ping().ifPresent(Background::ended);
  }

  @Test
  void aDemoThatWasLeftIsEndedByTheNextOneAndLeavesOnesOwnStateAlone() throws Exception {
    Path first = dir.resolve("first");
    leave(demo(first), first);
    SweepDirectory left = own.all().getFirst();
    assertThat(JournalReader.endsFinished(left.journal())).isFalse();

    Path second = dir.resolve("second");
    leave(demo(second), second);
    assertThat(second).content(UTF_8).contains("ending the earlier demo " + left.id());
    assertThat(JournalReader.endsFinished(left.journal())).isTrue();
    assertThat(own.all()).hasSize(2);
    for (Path printed : List.of(first, second)) {
      assertItsForecastIsRightOrAbsent(Files.readString(printed));
    }
    // The demo puts neither a daemon nor a sweep among the user's own sweeps.
    try (var files = Files.list(dir.resolve("state"))) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrder("demo", "sweeps");
    }
    assertThat(dir.resolve("state/sweeps").toFile().list()).containsExactly("mine");
  }

  /** Its jobs take a few seconds, and its budget suffices for its plan. */
  private static void assertItsForecastIsRightOrAbsent(String printed) {
    assertThat(printed.lines().filter(line -> line.contains(" a job")))
        .allSatisfy(line -> assertThat(line).containsPattern("[ (][1-9] s a job"));
    assertThat(printed).doesNotContain("likely to end before the plan does");
  }

  /** Interrupts the demo as by Ctrl-C, once its sweep has begun. */
  private static void leave(Process demo, Path printed) throws Exception {
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> !demo.isAlive() || Files.readString(printed).contains(" runs on n1"));
      assertThat(demo.isAlive()).as(Files.readString(printed)).isTrue();
    } finally {
      demo.destroyForcibly().waitFor();
    }
  }

  private Process demo(Path printed) throws IOException {
    ProcessBuilder demo =
        new ProcessBuilder(
                MainProcess.command(
                    List.of(
                        "demo", "--cluster", "local", "--state", dir.resolve("state").toString())))
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    demo.environment().put("NIGHTSWEEP_HOME", dir.resolve("home").toString());
    return demo.start();
  }
}
