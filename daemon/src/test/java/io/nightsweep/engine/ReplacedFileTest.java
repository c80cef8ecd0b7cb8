package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.JobEnd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon detects a job that replaces its wrapper's files. */
@Tag("guard")
class ReplacedFileTest {
  @TempDir private Path folder;
  private JobFiles files;
  private Path log;
  private Path exitRecord;

  @BeforeEach
  void theFiles() throws Exception {
    files = new JobFiles(Files.createDirectories(folder.resolve("jobs/t1-1")));
    log = files.log();
    exitRecord = files.exitRecord();
  }

  @Test
  void aFileOrNothingIsNotTold() throws Exception {
    assertThat(told(JobEnd.State.VANISHED)).isEmpty();
    Files.createFile(log);
    Files.createFile(exitRecord);
    assertThat(told(JobEnd.State.VANISHED)).isEmpty();
  }

  @Test
  void whatStandsInTheLogsPlaceIsNamed() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", log.toString()).start().waitFor()).isZero();
    assertThat(told(JobEnd.State.COMPLETED).orElseThrow())
        .startsWith(log + " is a pipe or a device and not a file");
    Files.delete(log);
    Files.createDirectory(log);
    assertThat(told(JobEnd.State.COMPLETED).orElseThrow()).startsWith(log + " is a folder and");
    Files.delete(log);
    Files.createSymbolicLink(log, Path.of("/dev/zero"));
    assertThat(told(JobEnd.State.COMPLETED).orElseThrow()).startsWith(log + " is a link and");
  }

  /** If the cluster itself reports how the job ended, the record is not needed. */
  @Test
  void aReplacedExitRecordIsToldWhereNobodyElseKnowsTheEnd() throws Exception {
    Files.createSymbolicLink(exitRecord, Path.of("/dev/zero"));
    assertThat(told(JobEnd.State.FAILED)).isEmpty();
    assertThat(told(JobEnd.State.VANISHED).orElseThrow()).startsWith(exitRecord + " is a link and");
  }

  @Test
  void aFolderThatIsGoneIsTold() throws Exception {
    Files.delete(files.directory());
    for (JobEnd.State state : List.of(JobEnd.State.VANISHED, JobEnd.State.FAILED)) {
      assertThat(told(state).orElseThrow())
          .startsWith(files.directory() + " is no longer a folder");
    }
    for (String place : List.of("touch $0", "mkfifo $0", "ln -s / $0", "ln -s nowhere $0")) {
      String folder = files.directory().toString();
      assertThat(new ProcessBuilder("bash", "-c", place, folder).start().waitFor()).isZero();
      assertThat(told(JobEnd.State.COMPLETED)).as(place).isPresent();
      Files.delete(files.directory());
    }
    Files.delete(files.directory().getParent());
    assertThat(told(JobEnd.State.VANISHED)).as("no one job's doing").isEmpty();
  }

  /** A launcher keeps its logs elsewhere, and their content counts. */
  @Test
  void aFolderThatIsGoneIsNotToldBesideALog() throws Exception {
    Files.delete(files.directory());
    log = Files.createFile(folder.resolve("launcher.log"));
    assertThat(told(JobEnd.State.VANISHED)).isEmpty();
  }

  private Optional<String> told(JobEnd.State state) {
    JobEnd end = new JobEnd(state, 0, Optional.empty(), Instant.EPOCH, JobEnd.Source.QUEUE);
    return ReplacedFile.of(log, files, end).map(d -> Phrases.EN.text(d.detail()));
  }
}
