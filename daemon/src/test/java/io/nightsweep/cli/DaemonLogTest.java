package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("guard")
class DaemonLogTest {
  @TempDir private Path folder;

  @Test
  void aLogThatGrewTooLongBeginsAnewUnderItsWriter() throws IOException {
    Path file = folder.resolve("daemon.log");
    byte[] block = new byte[1 << 20];
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (int i = 0; i < 40; i++) {
        out.write(block);
        DaemonLog.bound(file);
        assertThat(Files.size(file)).isLessThanOrEqualTo(DaemonLog.MOST_BYTES);
      }
      out.write('!');
    }
    assertThat(Files.size(file)).isEqualTo(40 % 17 * (1L << 20) + 1);
    assertThat(Files.size(folder.resolve("daemon.log.1"))).isEqualTo(17L << 20);
  }
}
