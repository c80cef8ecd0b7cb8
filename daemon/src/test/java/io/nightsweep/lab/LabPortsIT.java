package io.nightsweep.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Labs share a folder on this machine in which each reserves its ports. */
class LabPortsIT {
  private static final Path RESERVED = Path.of("/run/nightsweep-lab");
  private static final int LAST = 31_900;
  private static final int APART = 100;

  @TempDir private Path folder;

  /** The other lab's processes are invisible from another container, but its ports are in use. */
  @Test
  void theFolderOfALabThatListensIsLeftToIt() throws Exception {
    int port = LAST;
    while (Files.exists(RESERVED.resolve("" + port))) {
      port -= APART;
    }
    Path reserved = Files.createDirectories(RESERVED.resolve("" + port));
    Path owner = Files.writeString(reserved.resolve("owner"), folder.resolve("another") + "");
    try (ServerSocket controller = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(up(controller.getLocalPort())).contains("no free block of 100 ports at " + port);
      assertThat(owner).hasContent(folder.resolve("another") + "");
    } finally {
      Files.deleteIfExists(owner);
      Files.deleteIfExists(reserved);
    }
  }

  private String up(int port) throws IOException {
    Process lab =
        new ProcessBuilder(
                Path.of("lab/lab").toAbsolutePath().toString(),
                "--state",
                Path.of("target", "no-lab").toAbsolutePath().toString(),
                "up",
                "--port-base",
                "" + port)
            .redirectErrorStream(true)
            .start();
    return new String(lab.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
