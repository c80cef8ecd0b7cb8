package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * On a partition with nodes that jobs may share, a job gets the resources that it requests, or is
 * refused.
 */
@Tag("kernels")
class SharedPartitionIT {
  private final SlurmLab lab = SlurmLab.up();
  private final SlurmCluster slurm = lab.cluster();

  @Test
  void everyRankHasACpuOfItsOwn() throws Exception {
    Submission submission =
        submission(
            "all",
            4,
            "\"${NIGHTSWEEP_LAUNCH[@]}\" bash -c 'echo rank $SLURM_PROCID on $SLURMD_NODENAME of"
                + " $SLURM_CPUS_ON_NODE' >ranks");
    JobId job = run(submission);
    assertThat(Files.readAllLines(submission.workingDirectory().resolve("ranks")))
        .as(Files.readString(submission.files().log()))
        .containsExactlyInAnyOrder(
            "rank 0 on n1 of 2", "rank 1 on n1 of 2", "rank 2 on n2 of 2", "rank 3 on n2 of 2");
    assertThat(lab.slurm("scontrol", "--oneliner", "show", "job", job.value()))
        .contains("NumCPUs=4", "NumTasks=4", "OverSubscribe=NO", "Partition=shared");
  }

  @Test
  void moreRanksThanCpusAreRefused() throws Exception {
    Submission submission = submission("too-many", 6, "true");
    assertThatThrownBy(() -> slurm.submit(submission))
        .isInstanceOf(SubmissionRefusedException.class)
        .hasMessageContaining("CPU count per node can not be satisfied");
  }

  /** The device files are fake, but Slurm itself gives each rank another one. */
  @Test
  void everyRankIsShownTheGpusAndCpusThatItAskedFor() throws Exception {
    Submission submission =
        submission(
            "gpus",
            4,
            new PerTask(1, 1),
            "\"${NIGHTSWEEP_LAUNCH[@]}\" bash -c 'echo rank $SLURM_PROCID on $SLURMD_NODENAME gpu"
                + " $CUDA_VISIBLE_DEVICES cpus $SLURM_CPUS_PER_TASK' >ranks");
    JobId job = run(submission);
    List<String> ranks = Files.readAllLines(submission.workingDirectory().resolve("ranks"));
    assertThat(ranks).as(Files.readString(submission.files().log())).hasSize(4);
    assertThat(ranks).allMatch(r -> r.matches("rank \\d on n[12] gpu [01] cpus 1"));
    assertThat(ranks.stream().map(r -> r.replaceFirst("rank \\d ", "")))
        .as("no two ranks of a node are shown the same")
        .doesNotHaveDuplicates();
    assertThat(lab.slurm("scontrol", "--oneliner", "show", "job", job.value()))
        .contains("TresPerTask=gres:gpu:1", "CPUs/Task=1", "NumCPUs=4");
  }

  @Test
  void moreGpusThanANodeHasAreRefused() throws Exception {
    Submission submission = submission("too-many-gpus", 2, new PerTask(0, 3), "true");
    assertThatThrownBy(() -> slurm.submit(submission))
        .isInstanceOf(SubmissionRefusedException.class)
        .hasMessageContaining("Requested node configuration is not available");
  }

  private Submission submission(String name, int tasks, String payload) throws Exception {
    return submission(name, tasks, PerTask.UNSAID, payload);
  }

  private JobId run(Submission submission) throws Exception {
    JobId job = slurm.submit(submission);
    JobHandle handle =
        new JobHandle(submission.jobName(), Optional.of(job), Instant.now(), submission.files());
    Instant end = Instant.now().plus(Duration.ofMinutes(3));
    while (!(slurm.observe(List.of(handle)).get(handle) instanceof JobStatus.Ended)) {
      assertThat(Instant.now()).isBefore(end);
      Thread.sleep(300);
    }
    return job;
  }

  private Submission submission(String name, int tasks, PerTask perTask, String payload)
      throws Exception {
    Path directory =
        Files.createTempDirectory(lab.shared("shared-partition"), name).toAbsolutePath();
    return new Submission(
        "shared-" + directory.getFileName(),
        name,
        List.of("n1", "n2"),
        Optional.of("shared"),
        tasks,
        perTask,
        Duration.ofMinutes(1),
        Map.of(),
        payload,
        directory,
        new JobFiles(directory));
  }
}
