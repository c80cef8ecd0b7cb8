package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The packed unit and the daemon that it starts, which reports to systemd that it is alive. */
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class ServiceUnitTest {
  private static final Path UNIT = Path.of("../templates/nightsweep.service");
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Replaces systemd: writes each message that a datagram socket receives as a line of a file. */
  private static final String SYSTEMD =
      """
      import socket, sys
      end = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      end.bind(sys.argv[1])
      with open(sys.argv[2], "ab", buffering=0) as told:
          while True:
              told.write(end.recv(4096) + b"\\n")
      """;

  @TempDir Path dir;
  private final Map<String, Process> started = new TreeMap<>();

  @AfterEach
  void end() throws InterruptedException {
    for (Process process : started.values()) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void theUnitWatchesTheDaemonAndLetsItLeaveNoCore() throws Exception {
    Map<String, String> service = section("Service");
    assertThat(service)
        .containsEntry("LimitCORE", "0")
        .containsEntry("UMask", "0077")
        .containsEntry("NoNewPrivileges", "yes")
        .containsEntry("Restart", "always")
        // A child process sends it, and by default systemd ignores children.
        .containsEntry("NotifyAccess", "all");
    assertThat(service.getOrDefault("WatchdogSec", "")).matches("[1-9]\\d*(?:s|min)");
    assertThat(service.getOrDefault("ExecStart", "")).endsWith("/nightsweep serve");
    // systemd gives up on a unit that is started too often, unless the limit is off.
    assertThat(section("Unit")).containsEntry("StartLimitIntervalSec", "0");
  }

  @Test
  void theDaemonTellsSystemdAgainAndAgainThatItLives() throws Exception {
    assumeThat(isOnPath("systemd-notify") && isOnPath("python3")).isTrue();
    Path socket = dir.resolve("notify");
    Path told = dir.resolve("told");
    start("systemd", List.of("python3", "-c", SYSTEMD, socket.toString(), told.toString()));
    await().atMost(PATIENCE).until(() -> Files.exists(socket));
    start(
        "daemon",
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Djava.awt.headless=true",
            "-Duser.home=" + dir,
            "-cp",
            System.getProperty("java.class.path"),
            "io.nightsweep.cli.Main",
            "serve",
            "--state",
            dir.resolve("state").toString()),
        "NOTIFY_SOCKET=" + socket,
        "WATCHDOG_USEC=" + TimeUnit.SECONDS.toMicros(3));
    await()
        .atMost(PATIENCE)
        .until(() -> lines(told).stream().filter("WATCHDOG=1"::equals).count() >= 3);
    // systemd-notify waits at the barrier until its message was received.
    assertThat(lines(told)).containsOnly("WATCHDOG=1", "BARRIER=1");
  }

  private void start(String name, List<String> command, String... environment) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(dir.resolve(name + ".out").toFile());
    for (String pair : environment) {
      String[] both = pair.split("=", 2);
      builder.environment().put(both[0], both[1]);
    }
    started.put(name, builder.start());
  }

  private static List<String> lines(Path file) throws Exception {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static Map<String, String> section(String name) throws Exception {
    Map<String, String> keys = new TreeMap<>();
    String section = "";
    for (String line : Files.readAllLines(UNIT)) {
      if (line.startsWith("[")) {
        section = line;
      } else if (!line.startsWith("#") && line.contains("=") && section.equals("[" + name + "]")) {
        String[] pair = line.split("=", 2);
        keys.put(pair[0], pair[1]);
      }
    }
    return keys;
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv("PATH").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
