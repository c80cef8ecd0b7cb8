package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.Rank;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workloads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a job said and went on from is no cause of its end, by the shipped playbook. */
@Tag("joblog")
class SurvivedTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);
  private static final String STEP =
      "0: completed step: %d, seconds: 2.500, TFLOP/s/device: 1.0, Tokens/s/device: 10.0, total_weights: 1, loss: 8.1\n";
  private static final String END =
      """
      0: Traceback (most recent call last):
      0:   File "train.py", line 7, in <module>
      0: flax.errors.SomethingOfItsOwnError: the shapes do not agree
      Status: FAILED (exit 1)
      """;

  @TempDir private Path folder;

  @Test
  void informationThatHoldsTheNameOfAnErrorIsNoError() throws Exception {
    Diagnosis found =
        diagnose(
            "0: I0601 03:13:22.100000 141 loader.py:12] ValueError: no index, it is built anew\n"
                + "0: INFO:absl:KeyError: 'cache', which is optional\n"
                + END);
    assertThat(found.failureClass()).isEqualTo("program-error");
    assertThat(found.quotes().getFirst().text()).contains("SomethingOfItsOwnError");
  }

  @Test
  void aJobThatHasMadeAStepHasItsImageAndItsDevices() throws Exception {
    String warnings =
        "0: curl: (7) Failed to connect to 169.254.169.254 port 80\n"
            + "0: WARNING: No GPU devices detected by the monitor\n";
    assertThat(diagnose(warnings + STEP.formatted(0) + STEP.formatted(1) + END).failureClass())
        .isEqualTo("program-error");
    assertThat(diagnose(warnings + "Status: FAILED (exit 1)\n").failureClass())
        .as("before the first step it is what the job died of")
        .isEqualTo("no-gpu");
  }

  @Test
  void aFailureSaysTheLogsLineAndNotThePlaybooksPattern() throws Exception {
    Diagnosis found =
        diagnose("0: WARNING: No GPU devices detected by the monitor\nStatus: FAILED (exit 1)\n");
    assertThat(found.detail()).doesNotContain("matches").containsPattern("line \\d+ says '");
    assertThat(found.quotes()).anyMatch(q -> found.detail().contains("'" + q.text() + "'"));
  }

  /** As the real launcher ends a job of which rank 1 raised: rank 0 is killed and cleaned up. */
  @Test
  void theCleaningUpBehindAKilledRankIsNoFailureOfTheContainer() throws Exception {
    Diagnosis found =
        diagnose(
            """
            1: Traceback (most recent call last):
            1:   File "train.py", line 7, in <module>
            1: RuntimeError: Backend 'lost' is not in the list of known backends: ['cpu', 'tpu'].
            srun: error: n2: task 1: Exited with exit code 1
            0: slurmstepd-n1: error: *** STEP 10.3 ON n1 CANCELLED AT 2026-11-22T08:33:20 ***
            0: [INFO] n1: Cleaning up container maxtext-slurm-10-node0 ...
            0: ++ exit 143
            0: Error response from daemon: No such container: maxtext-slurm-10-node0
            0: NODE_EXIT host=n1 exit=143
            == Training FAILED (exit=143, 46s) ==
              Status: FAILED (exit 1) — Training FAILED (exit=143)
            """);
    assertThat(found.failureClass()).isEqualTo("program-error");
    assertThat(found.quotes().getFirst().text()).contains("Backend 'lost'");
  }

  @Test
  void aFloodOfSurvivedErrorsHidesNoLaterOne() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int step = 0; step < 3; step++) {
      for (int i = 0; i < 3 * Findings.MOST_JUDGED; i++) {
        log.append("0: AnErrorOfTheLoaderError: sample %d is skipped\n".formatted(i));
      }
      log.append(STEP.formatted(step));
    }
    Diagnosis found = diagnose(log + END);
    assertThat(found.failureClass()).isEqualTo("program-error");
    assertThat(found.quotes().getFirst().text()).contains("SomethingOfItsOwnError");
  }

  /** MaxText's logger may hide the steps, which its metrics file tells. */
  @Test
  void stepsOfAMetricsFileCountAsThoseOfALog() throws Exception {
    Path log = Files.writeString(folder.resolve("job.log"), "Status: FAILED (exit 143)\n");
    Path metrics =
        Files.writeString(
            folder.resolve("nightsweep-metrics-0.jsonl"),
            "{\"step\": 14.0, \"perf/step_time_seconds\": 2.5}\n");
    List<LogFile> files =
        List.of(
            LogFile.shared(log), new LogFile(metrics, new Rank(-1, "nightsweep-metrics-0.jsonl")));
    assertThat(diagnose(new JobLog(() -> files)).failureClass()).isEqualTo("soft-success");
  }

  private Diagnosis diagnose(String text) throws Exception {
    return diagnose(new JobLog(Files.writeString(folder.resolve("job.log"), text)));
  }

  private static Diagnosis diagnose(JobLog log) throws Exception {
    return new PlaybookDiagnoser(
            new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any").recognition(),
            Workloads::hearSteps)
        .diagnose(
            ATTEMPT,
            new JobEnd(
                JobEnd.State.FAILED, 1, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD),
            log,
            -1,
            15,
            Optional.empty());
  }
}
