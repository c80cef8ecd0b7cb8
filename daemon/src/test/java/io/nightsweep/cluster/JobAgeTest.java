package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("guard")
class JobAgeTest {
  @TempDir private Path directory;

  @Test
  void isToldByTheFilesAndLeavesNone() throws Exception {
    JobFiles files = new JobFiles(directory);
    assertThat(JobAge.of(files)).isEmpty();

    Files.writeString(files.claim(), "7");
    Files.setLastModifiedTime(
        files.claim(), FileTime.from(Instant.now().minus(Duration.ofHours(3))));
    assertThat(JobAge.of(files).orElseThrow())
        .isBetween(Duration.ofHours(3).minusMinutes(1), Duration.ofHours(4));

    // For a job that began in the future no age is given.
    Files.setLastModifiedTime(
        files.claim(), FileTime.from(Instant.now().plus(Duration.ofHours(3))));
    assertThat(JobAge.of(files)).isEmpty();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).containsExactly(files.claim());
    }
  }
}
