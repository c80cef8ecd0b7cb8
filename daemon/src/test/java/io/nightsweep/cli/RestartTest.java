package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.files.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Real processes: one that cannot continue gets a successor, and one that can reports to systemd.
 */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class RestartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path dir;

  /** The program of the processes. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
      Path lives = Path.of(args[0]);
      Files.writeString(lives, "life ", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (Files.readString(lives).equals("life ")) {
        Restart.now("a test");
      }
    }
  }

  @Test
  void aProcessThatEndsItselfIsStartedAgainWithTheSameArguments() throws Exception {
    Path lives = dir.resolve("lives");
    assertThat(run(lives, Map.of())).isEqualTo(75);
    await().atMost(PATIENCE).until(() -> Files.readString(lives).equals("life life "));
  }

  @Test
  void underSystemdTheUnitStartsTheNextOne() throws Exception {
    Path lives = dir.resolve("lives");
    assertThat(run(lives, Map.of("INVOCATION_ID", "0123"))).isEqualTo(75);
    Thread.sleep(4_000);
    assertThat(Files.readString(lives)).isEqualTo("life ");
  }

  @Test
  void systemdIsToldOnlyWhereItAsks() throws Exception {
    Path told = dir.resolve("told");
    Path program = Files.writeString(dir.resolve("notify"), "#!/bin/sh\necho \"$@\" >>" + told);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    for (Map<String, String> environment :
        List.of(
            Map.<String, String>of(),
            Map.of("WATCHDOG_USEC", "60000000"),
            Map.of("NOTIFY_SOCKET", "/x", "WATCHDOG_USEC", "no number"))) {
      new SystemdWatchdog(environment, program.toString()).alive();
      assertThat(told).doesNotExist();
    }
    Map<String, String> asked = Map.of("NOTIFY_SOCKET", "/x", "WATCHDOG_USEC", "60000000000");
    SystemdWatchdog watchdog = new SystemdWatchdog(asked, program.toString());
    assertThat(watchdog.every())
        .as("in time for one to be late")
        .isEqualTo(Duration.ofHours(16).plusMinutes(40).dividedBy(3));
    watchdog.alive();
    watchdog.alive();
    assertThat(told).hasContent("WATCHDOG=1\n");
    // If no program of this name exists, nothing is thrown.
    new SystemdWatchdog(asked, dir.resolve("none").toString()).alive();
  }

  private int run(Path lives, Map<String, String> environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(ChildJvm.command(Main.class, lives.toString()))
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve("out").toFile());
    Map<String, String> all = new HashMap<>(environment);
    builder.environment().remove("INVOCATION_ID");
    builder.environment().putAll(all);
    Process process = builder.start();
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}
