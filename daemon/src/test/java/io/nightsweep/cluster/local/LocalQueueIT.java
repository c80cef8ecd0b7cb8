package io.nightsweep.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.PerTask;
import io.nightsweep.cluster.Submission;
import io.nightsweep.sweep.JobId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The queue of this machine's own jobs. */
@Tag("kernels")
class LocalQueueIT {
  @TempDir private Path folder;

  /** Otherwise Ctrl-C while the queue is read would leave a job that nobody finds or cancels. */
  @Test
  void whoeverIsToldToEndWhileReadingPutsNoJobAside() throws Exception {
    LocalCluster cluster = new LocalCluster(folder.resolve("queue"), List.of("n1"));
    JobFiles files = new JobFiles(folder.resolve("job"));
    JobId job =
        cluster.submit(
            new Submission(
                "one",
                "comment",
                List.of("n1"),
                Optional.empty(),
                1,
                PerTask.UNSAID,
                Duration.ofMinutes(1),
                Map.of(),
                "return 0\n",
                files.directory(),
                files));
    JobHandle handle = new JobHandle("one", Optional.of(job), Instant.now(), files);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> cluster.observe(List.of(handle)))
        .isInstanceOf(InterruptedException.class);
    assertThat(cluster.find(handle)).contains(job);
    // As long as it lives, it writes into the folder that the test's end removes.
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> cluster.observe(List.of(handle)).get(handle) instanceof JobStatus.Ended);
  }
}
