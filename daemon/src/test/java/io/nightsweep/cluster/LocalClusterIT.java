package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.sweep.JobEnd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LocalClusterIT extends ClusterContract {
  private static final List<String> NODES = List.of("n1", "n2", "n3", "n4");

  @TempDir Path directory;

  @Override
  Cluster cluster() {
    return new LocalCluster(directory.resolve("queue"), NODES);
  }

  @Override
  Path shared() {
    return directory;
  }

  // Every call of cluster() makes a new instance, so the whole contract holds across daemon
  // restarts.

  @Test
  void aJobBeyondItsTimeLimitEndsAsTimeLimit() throws Exception {
    Submission s = submission("sleep 60", Map.of(), List.of("n1"));
    Submission brief =
        new Submission(
            s.jobName(),
            s.comment(),
            s.nodes(),
            s.partition(),
            s.tasks(),
            PerTask.UNSAID,
            Duration.ofSeconds(1),
            s.env(),
            s.payload(),
            s.workingDirectory(),
            s.files());
    assertThat(end(handle(brief, cluster().submit(brief))).state())
        .isEqualTo(JobEnd.State.TIME_LIMIT);
  }

  @Test
  void aNodeThatDoesNotExistIsRefused() throws Exception {
    Submission s = submission("true", Map.of(), List.of("n9"));
    assertThatThrownBy(() -> cluster().submit(s))
        .isInstanceOf(SubmissionRefusedException.class)
        .hasMessageContaining("n9");
  }

  @Test
  @Tag("guard")
  @Timeout(120)
  void neitherAPipeAsALogNorADamagedEntryStopsTheQueue() throws Exception {
    Submission s = submission("echo seen", Map.of(), List.of("n1"));
    Path log = s.files().log();
    Files.createDirectories(s.files().directory());
    assertThat(new ProcessBuilder("mkfifo", log.toString()).start().waitFor()).isZero();
    assertThat(end(handle(s, cluster().submit(s))).state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(log).isRegularFile().content().contains("seen");
    Path damaged = Files.createFile(directory.resolve("queue/99.json"));
    assertThat(end(submit("true", Map.of(), List.of("n1"))).state())
        .isEqualTo(JobEnd.State.COMPLETED);
    assertThat(damaged).doesNotExist();
  }

  /** A job may remove the folders of waiting jobs, or replace them with anything. */
  @Test
  @Tag("guard")
  @Timeout(120)
  void aWaitingJobWhoseFolderIsGoneHoldsUpNoOther() throws Exception {
    JobHandle first = submit("sleep 1", Map.of(), List.of("n1"));
    List<JobHandle> spoilt = new ArrayList<>();
    for (String attack :
        List.of(
            "rm -r \"$0\"",
            "rm -r \"$0\"; touch \"$0\"",
            "rm -r \"$0\"; mkfifo \"$0\"",
            "rm -r \"$0\"; ln -s nowhere \"$0\"",
            "mkdir -p \"$0/job.log/held\"")) {
      JobHandle waiting = submit("true", Map.of(), List.of("n1"));
      String folder = waiting.files().directory().toString();
      assertThat(new ProcessBuilder("bash", "-c", attack, folder).start().waitFor()).isZero();
      spoilt.add(waiting);
    }
    JobHandle last = submit("true", Map.of(), List.of("n1"));
    assertThat(end(first).state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(end(last).state()).isEqualTo(JobEnd.State.COMPLETED);
    for (JobHandle job : spoilt) {
      assertThat(end(job).state()).isEqualTo(JobEnd.State.NEVER_STARTED);
    }
  }

  /** The wrapper runs the payload in a separate process group, and is killed before it. */
  @Test
  @Tag("guard")
  @Timeout(120)
  void aPayloadThatIgnoresTheFirstSignalIsKilled() throws Exception {
    JobHandle job =
        submit(
            "trap '' TERM; echo pid $BASHPID; while :; do sleep 1; done", Map.of(), List.of("n1"));
    Path log = job.files().log();
    await().until(() -> Files.exists(log) && Files.readString(log).matches("(?s).*pid \\d+\n.*"));
    long pid = Long.parseLong(Files.readString(log).replaceFirst("(?s).*pid (\\d+)\n.*", "$1"));
    cluster().cancel(job);
    end(job);
    await()
        .untilAsserted(
            () ->
                assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive))
                    .as("the payload")
                    .isEmpty());
  }

  /** A busy machine may look only after the process has gone. */
  @Test
  @Tag("recovery")
  @Timeout(120)
  void aJobThatEndedBeforeItsProcessWasLookedAtHasEnded() throws Exception {
    JobHandle job = submit("true", Map.of(), List.of("n1"));
    end(job);
    rewrite("\"birth\":\\d+", "\"birth\":0", "\"endedAt\":\\d+", "\"endedAt\":0");
    assertThat(end(job).state()).isEqualTo(JobEnd.State.COMPLETED);
  }

  /** As for a daemon that was killed between the start and its record. */
  @Test
  @Tag("recovery")
  @Timeout(120)
  void aJobWhoseStartWasNotWrittenDownIsNotStartedAgain() throws Exception {
    JobHandle job = submit("echo once; sleep 2", Map.of(), List.of("n1"));
    Path log = job.files().log();
    await().until(() -> Files.exists(log) && Files.readString(log).contains("once"));
    rewrite("\"(pid|birth|startedAt)\":\\d+", "\"$1\":0");
    assertThat(status(job)).isInstanceOf(JobStatus.Running.class);
    assertThat(end(job).state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(log).hasContent("once");
    rewrite("\"(pid|birth|startedAt|endedAt)\":\\d+", "\"$1\":0");
    assertThat(end(job).state()).as("found when it is over").isEqualTo(JobEnd.State.COMPLETED);
    assertThat(log).hasContent("once");
  }

  /** Rewrites the entry of the queue's only job, by pairs of pattern and replacement. */
  private void rewrite(String... replacements) throws Exception {
    Path entry = directory.resolve("queue/1.json");
    String text = Files.readString(entry);
    for (int i = 0; i < replacements.length; i += 2) {
      text = text.replaceAll(replacements[i], replacements[i + 1]);
    }
    Files.writeString(entry, text);
  }

  @Test
  void jobsOfOneNodeRunOneAfterTheOther() throws Exception {
    JobHandle first = submit("sleep 1", Map.of(), List.of("n1", "n2"));
    JobHandle second = submit("true", Map.of(), List.of("n2"));
    JobEnd one = end(first);
    JobEnd two = end(second);
    assertThat(two.startedAt().orElseThrow()).isAfterOrEqualTo(one.endedAt());
  }
}
