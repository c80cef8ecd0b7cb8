package io.nightsweep.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file of gigabytes in place of a report: reading it whole would end the daemon, and again at
 * each start.
 */
@Tag("guard")
@Tag("slow")
class HugePagesTest {
  private static final long HUGE = 1L << 30;

  @TempDir Path directory;
  private final SweepState night = TuningNights.pp();

  @ParameterizedTest
  @ValueSource(strings = {"-tuning.md", "-tuning.zh.md", "-tuning.json"})
  void isNotRead(String ending) throws Exception {
    Path own = directory.resolve("own");
    Path shared = Files.createDirectories(directory.resolve("shared"));
    Path huge = huge(shared.resolve(night.cell().model() + ending));
    assertThatThrownBy(() -> ReportWriter.write(own, shared, night))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(huge.getFileName().toString())
        .hasMessageContaining("more than");
    assertThat(Files.size(huge)).isEqualTo(HUGE);
    assertThat(ReportWriter.page(own, night)).as("the sweep's own page").isRegularFile();
  }

  @Test
  void aPatchOfSomebodyElsesIsLeftAlone() throws Exception {
    Path shared = Files.createDirectories(directory.resolve("shared"));
    Path folder = Files.createDirectories(directory.resolve("checkout"));
    Path huge = huge(folder.resolve(night.cell().model() + "-tuning.env.sh"));
    ReportWriter.write(directory.resolve("own"), shared, night);
    ReportWriter.deliver(directory.resolve("own"), shared, folder, night);
    assertThat(Files.size(huge)).isEqualTo(HUGE);
    assertThat(ReportWriter.page(folder, night)).isRegularFile();
  }

  private static Path huge(Path file) throws IOException {
    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(HUGE);
    }
    return file;
  }
}
