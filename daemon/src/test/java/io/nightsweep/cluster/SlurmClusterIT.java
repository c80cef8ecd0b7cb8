package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.cluster.slurm.SlurmCluster;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.sweep.JobEnd;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlurmClusterIT extends ClusterContract {
  private final SlurmLab lab = SlurmLab.up();
  private final SlurmCluster cluster = lab.cluster();

  @Override
  Cluster cluster() {
    return cluster;
  }

  @Override
  Path shared() {
    return lab.shared("contract");
  }

  @Test
  void aNodeThatDoesNotExistIsRefusedInSlurmsOwnWords() throws Exception {
    Submission submission = submission("true", Map.of(), List.of("n99"));
    assertThatThrownBy(() -> cluster.submit(submission))
        .isInstanceOf(SubmissionRefusedException.class)
        .hasMessageContaining("nvalid node name");
  }

  @Test
  void aControllerThatIsDownGivesNoAnswerAndLosesNoJob() throws Exception {
    JobHandle job = submit("sleep 6", Map.of(), List.of("n1"));
    awaitRunning(job);
    lab.lab("stop-controller");
    try {
      assertThatThrownBy(() -> cluster.observe(List.of(job)))
          .isInstanceOf(ClusterUnreachableException.class);
      Submission another = submission("true", Map.of(), List.of("n1"));
      assertThatThrownBy(() -> cluster.submit(another))
          .isInstanceOf(ClusterUnreachableException.class);
    } finally {
      lab.lab("start-controller");
    }
    assertThat(end(job).state()).isEqualTo(JobEnd.State.COMPLETED);
  }

  @Test
  void aNodeThatDiesFailsItsJobAsNodeFail() throws Exception {
    JobHandle job = submit("sleep 100", Map.of(), List.of("n3"));
    awaitRunning(job);
    lab.lab("kill-node", "n3");
    try {
      assertThat(end(job).state()).isEqualTo(JobEnd.State.NODE_FAIL);
    } finally {
      lab.lab("start-node", "n3");
    }
  }

  @Test
  void oneQueryAnswersForTwoHundredJobsAsForOne() throws Exception {
    List<JobHandle> jobs = new ArrayList<>();
    jobs.add(submit("sleep 30", Map.of(), List.of("n2")));
    long before = cluster.queries();
    cluster.observe(jobs);
    long forOne = cluster.queries() - before;
    for (int i = 0; i < 199; i++) {
      jobs.add(submit("true", Map.of(), List.of("n2")));
    }
    before = cluster.queries();
    assertThat(cluster.observe(jobs)).hasSize(200);
    assertThat(cluster.queries() - before).isEqualTo(forOne).isEqualTo(1);
    lab.slurm("scancel", "--nodelist=n2", "--me");
    lab.slurm("scancel", "--state=PENDING", "--me");
  }
}
