package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs that Slurm's controller has forgotten, looked up in the accounting by {@code sacct}. */
@Tag("sweep")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SlurmAccountingIT {
  private SlurmLab lab;
  private SlurmCluster cluster;

  @BeforeAll
  void up() {
    lab = SlurmLab.withAccounting();
    cluster = lab.cluster();
  }

  @AfterAll
  void down() {
    lab.down();
  }

  @Test
  void aForgottenJobWithoutARecordIsToldByTheBooks() throws Exception {
    Instant before = Instant.now();
    JobFiles files = new JobFiles(lab.shared("forgotten"));
    Submission submission =
        new Submission(
            "ns-books-" + before.toEpochMilli(),
            "books",
            List.of("n1"),
            Optional.empty(),
            1,
            PerTask.UNSAID,
            Duration.ofMinutes(2),
            Map.of(),
            "exit 7",
            files.directory(),
            files);
    JobId job = cluster.submit(submission);
    JobHandle handle =
        new JobHandle(submission.jobName(), Optional.of(job), before, submission.files());
    await()
        .atMost(Duration.ofSeconds(90))
        .pollInterval(Duration.ofSeconds(1))
        .until(() -> lab.slurm("squeue", "--noheader", "--states=all").isBlank());
    Files.delete(files.exitRecord());
    Files.delete(files.claim());

    JobStatus status =
        cluster
            .observe(List.of(handle))
            .getOrDefault(handle, new JobStatus.Unknown("not mentioned"));
    assertThat(status)
        .isInstanceOfSatisfying(
            JobStatus.Ended.class,
            ended -> {
              assertThat(ended.end().state()).isEqualTo(JobEnd.State.FAILED);
              assertThat(ended.end().exitCode()).isEqualTo(7);
              assertThat(ended.end().source()).isEqualTo(JobEnd.Source.ACCOUNTING);
              assertThat(ended.end().startedAt().orElseThrow())
                  .isBetween(before.minusSeconds(2), Instant.now());
            });
    assertThat(
            cluster.find(
                new JobHandle(submission.jobName(), Optional.empty(), before, submission.files())))
        .contains(job);
  }
}
