package io.nightsweep.engine;

import io.nightsweep.files.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** A daemon in a separate process, so that a test can kill it as an outage would. */
final class DaemonProcess implements AutoCloseable {
  private final Process process;

  private DaemonProcess(Process process) {
    this.process = process;
  }

  static DaemonProcess start(Path state, Path home, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            ChildJvm.command(
                List.of(
                    "-Xms16m",
                    "-Xmx192m",
                    "-XX:+ExitOnOutOfMemoryError",
                    "-XX:MinHeapFreeRatio=10",
                    "-XX:MaxHeapFreeRatio=20",
                    "-Djava.awt.headless=true"),
                Main.class,
                state.toString(),
                home.toString()));
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    return new DaemonProcess(builder.start());
  }

  /** Sends SIGKILL: no handler runs and nothing is flushed. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long residentMebibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(l -> l.startsWith("VmRSS:"))
        .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")) / 1024)
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    kill();
  }

  /** The program of the process. */
  static final class Main {
    private Main() {}

    public static void main(String[] args) throws Exception {
      StateDirectory state = new StateDirectory(Path.of(args[0]));
      try (Daemon daemon =
          Daemon.open(
              state, LabParts.of(new RealParts(Path.of(args[1]))), InstantSource.system())) {
        while (daemon.idleFor().compareTo(Duration.ofSeconds(2)) < 0) {
          Thread.sleep(200);
        }
      }
    }
  }
}
