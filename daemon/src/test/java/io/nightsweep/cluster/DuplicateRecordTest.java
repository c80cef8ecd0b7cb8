package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record that marks a job as a duplicate counts only if another job holds the claim. */
@Tag("guard")
class DuplicateRecordTest {
  private static final JobId JOB = new JobId("126");

  @TempDir private Path folder;

  @BeforeEach
  void record() throws Exception {
    Files.writeString(
        folder.resolve("duplicate.126.json"),
        "{\"job\":\"126\",\"exitCode\":75,\"signal\":0,\"startedAt\":1,\"endedAt\":1,\"host\":\"n3\"}");
  }

  @Test
  void anotherJobHoldsTheClaim() throws Exception {
    JobFiles files = new JobFiles(folder);
    Files.writeString(files.claim(), "7\n");
    assertThat(ExitRecord.readDuplicate(files, JOB)).isPresent();
    assertThat(ExitRecord.ranAgain(files, JOB)).isFalse();
    Files.writeString(files.claim(), "");
    assertThat(ExitRecord.readDuplicate(files, JOB)).as("a disk was full").isPresent();
  }

  /** A controller that was restored to an earlier state restarts a job that had ended. */
  @Test
  void theJobHoldsItItself() throws Exception {
    JobFiles files = new JobFiles(folder);
    Files.writeString(files.claim(), "126\n");
    assertThat(ExitRecord.readDuplicate(files, JOB)).isEmpty();
    assertThat(ExitRecord.ranAgain(files, JOB)).isTrue();
    Files.delete(folder.resolve("duplicate.126.json"));
    assertThat(ExitRecord.ranAgain(files, JOB)).isFalse();
  }
}
