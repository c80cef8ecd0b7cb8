package io.nightsweep.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Optional;

/**
 * How long ago a job began, from the times of its own files. These come from the file system's
 * clock, so later changes to the clocks of the daemon or the cluster do not matter.
 */
public final class JobAge {
  private JobAge() {}

  /** The time since the job claimed its intent; empty where its files do not show it. */
  public static Optional<Duration> of(JobFiles files) {
    try {
      FileTime begun = Files.getLastModifiedTime(files.claim(), LinkOption.NOFOLLOW_LINKS);
      Path now = Files.createTempFile(files.directory(), "now", "");
      try {
        return Optional.of(
                Duration.between(begun.toInstant(), Files.getLastModifiedTime(now).toInstant()))
            .filter(age -> !age.isNegative());
      } finally {
        Files.deleteIfExists(now);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
