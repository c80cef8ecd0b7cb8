package io.nightsweep.workload.kernels;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results too long for a daemon of 192 MiB are refused by their length. */
@Tag("guard")
class KernelResultTest {
  @TempDir private Path folder;

  @Test
  void aResultThatWouldFillTheHeapIsNotRead() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("result.json"),
            "{\"samplesSeconds\": [" + "0,".repeat(KernelResult.MOST_BYTES / 2) + "0]}");
    assertThatThrownBy(() -> KernelResult.read(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("at most " + KernelResult.MOST_BYTES + " are read");
  }
}
