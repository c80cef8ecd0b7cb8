package io.nightsweep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.journal.JournalReader;
import io.nightsweep.lab.SlurmLab;
import io.nightsweep.report.ReportWriter;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sweep of the real allreduce on the real four-node Slurm, through the daemon. */
@Tag("sweep")
class RealSweepIT {
  private static final String SWEEP =
      """
      model: allreduce
      parallelism: ranks=2
      slot: {nodelist: "n[1-2]"}
      workload:
        {kind: kernels, kernel: allreduce, sizes: 262144, dtype: f32, iterations: 8, trials: 12, warmup: 4}
      profiles:
        linear:
          env:
            OMPI_MCA_coll_tuned_use_dynamic_rules: 1
            OMPI_MCA_coll_tuned_allreduce_algorithm: 1
        ring:
          env:
            OMPI_MCA_coll_tuned_use_dynamic_rules: 1
            OMPI_MCA_coll_tuned_allreduce_algorithm: 4
        recursive-doubling:
          env:
            OMPI_MCA_coll_tuned_use_dynamic_rules: 1
            OMPI_MCA_coll_tuned_allreduce_algorithm: 3
        rabenseifner:
          env:
            OMPI_MCA_coll_tuned_use_dynamic_rules: 1
            OMPI_MCA_coll_tuned_allreduce_algorithm: 6
      plan: kernels
      budget: {jobs: 30, hours: 1}
      policy: {baselineRuns: 2, confirmRuns: 4, plausibleGain: 900%, jobTimeLimit: 2m}
      playbook: kernels
      """;

  @Test
  void everyJobRunsOnThePinnedNodesAndEveryTrialEndsInItsDisposition() throws Exception {
    SlurmLab lab = SlurmLab.up();
    Path home = lab.home();
    assertThat(home.resolve("native/build/nightsweep-kernels")).isExecutable();
    SweepDirectory directory =
        new LabSweep(lab, "allreduce", SWEEP)
            .walk(
                new StateDirectory(lab.shared("state")),
                new RealParts(home),
                Duration.ofMinutes(9));
    SweepState end = fold(directory);
    assertThat(end.phase()).isInstanceOf(Phase.Finished.class);
    assertThat(end.trials().values()).noneMatch(TrialState::isOpen);
    assertThat(end.attempts().filter(a -> a.measurement().isPresent()).count())
        .isGreaterThanOrEqualTo(7);
    String books = Files.readString(lab.books());
    String report = Files.readString(ReportWriter.page(directory.reports(), end));
    assertThat(report).doesNotContain("Preliminary");
    Path shared = directory.modelReports();
    assertThat(Files.readString(shared.resolve("allreduce-tuning.md"))).contains("## Leaderboard");
    assertThat(Files.readString(shared.resolve("allreduce-tuning.zh.md"))).contains("## 排行榜");
    assertThat(directory.reports().resolve("allreduce-tuning.zh.md")).isNotEmptyFile();
    assertThat(directory.reports().resolve("tuning.json")).isNotEmptyFile();
    assertThat(directory.reports().resolve("charts/leaderboard.png")).isNotEmptyFile();
    for (AttemptState a : end.attempts().toList()) {
      assertThat(a.nodes()).containsExactly("n1", "n2");
      String line =
          books
              .lines()
              .filter(l -> l.contains("JobId=" + a.job().orElseThrow() + " "))
              .findFirst()
              .orElseThrow();
      assertThat(report).contains("| " + a.job().orElseThrow() + " | " + a.id() + " |");
      assertThat(line).contains("Name=" + a.jobName() + " ");
      // A job that was cancelled while it waited has no nodes in Slurm's records.
      if (a.measurement().isPresent() || !line.contains(" NodeCnt=0 ")) {
        assertThat(line).contains("NodeList=n[1-2] ");
      }
    }
  }

  private static SweepState fold(SweepDirectory directory) throws Exception {
    return JournalReader.fold(directory.journal());
  }
}
