package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.Rank;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.report.Phrases;
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
import java.util.OptionalInt;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An error that a job survived is not the cause of its end, by the packed playbook. */
@Tag("joblog")
@Tag("slow")
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

  /** The log was cut while the exception was printed, or the process was killed then. */
  @Test
  void aLogThatBreaksOffWithinATracebackTellsOfAFailure() throws Exception {
    String log =
        "W tensorflow/core/op_kernel.cc:1192] Resource exhausted: OOM when allocating tensor\n"
            + "Traceback (most recent call last):\n"
            + "  File \"train.py\", line 96, in <module>\n";
    assertThat(readAlone(log)).isEqualTo("oom-gpu");
    assertThat(
            readAlone(log + "step 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss 2.3\nstep 4 loss 2.2\n"))
        .isEqualTo("no-failure-found");
  }

  /** If the end is unknown, a rank's last word decides, but only about its own errors. */
  @Test
  void aLogThatEndsBySayingThatAllWentWellHasNoFailure() throws Exception {
    String error = "osc_ucx_component.c:379  Error: priority set inside component query failed\n";
    assertThat(readAlone(error + error + "Ran 24 tests, all passed\n"))
        .isEqualTo("no-failure-found");
    assertThat(readAlone("0: " + error + "1: benchmark finished successfully\n"))
        .isEqualTo("nccl-error");
    assertThat(readAlone(error + "unsuccessful run completed in 3.00s\n")).isEqualTo("nccl-error");
    for (String end :
        List.of(
            "recon-all finished without error",
            "!  Successful completion of geogrid.        !",
            "   JOB DONE.",
            "[  PASSED  ] 318 tests.",
            "# Out of bounds values : 0 OK",
            "22050413.0   driver  account  4  COMPLETED      0:0")) {
      assertThat(readAlone(error + end + "\n")).as(end).isEqualTo("no-failure-found");
    }
    for (String denial :
        List.of(
            "job finished in error state",
            "unsuccessful completion",
            "[  FAILED  ] 1 test.",
            "0 of 8 tasks completed successfully",
            "not all checks passed",
            "the job hasn't finished successfully",
            "0/8 workers: all tasks completed successfully",
            "training finished, 2 errors",
            "job finished, some steps failed",
            "all tests passed with 1 failure",
            "job completed after 3 retries failed")) {
      assertThat(readAlone(error + denial + "\n")).as(denial).isEqualTo("nccl-error");
    }
  }

  /** A job that ended well survived what it printed long before its end. */
  @ParameterizedTest
  @CsvSource({"COMPLETED, no-failure-found", "FAILED, nccl-error"})
  void onlyAJobThatFailedDiedOfWhatItPrintedLongBeforeItsEnd(JobEnd.State end, String expected)
      throws Exception {
    String error = "osc_ucx_component.c:379  Error: priority set inside component query failed\n";
    assertThat(read(error + "tile written\n".repeat(20), Optional.of(end))).isEqualTo(expected);
  }

  private String readAlone(String text) throws Exception {
    return read(text, Optional.empty());
  }

  private String read(String text, Optional<JobEnd.State> end) throws Exception {
    Path log = Files.writeString(folder.resolve("alone.log"), text);
    Playbooks shipped = new Playbooks(Resources.beside(Path.of("nowhere/sweep.yaml")));
    return new LogTriage(shipped.read("any").recognition(), Workloads::hearSteps)
        .ended(log, end, OptionalInt.empty(), 0)
        .failureClass();
  }

  /** The reason is on the next line, which no traceback announces. */
  @Test
  void aMessageThatEndsWithAColonGoesOnInTheNextErrorOfItsRank() throws Exception {
    Diagnosis found =
        diagnose(
            """
            0: Traceback (most recent call last):
            0:   File "train.py", line 7, in <module>
            0: RuntimeError: Failed to import the model because of the following error:
            1: E0601 12:00:00.000000 140 x.cc:1] something failed
            0: /usr/lib/python3/flash_attn_2_cuda.so: undefined symbol: _ZN3c105ErrorC2E
            Status: FAILED (exit 1)
            """);
    assertThat(found.failureClass()).isEqualTo("image-missing");
    assertThat(found.quotes().getFirst().text()).contains("undefined symbol");
  }

  /**
   * Launchers print as information what would otherwise be an error, and shells print their
   * commands.
   */
  @Test
  void whatASuccessSaysOfWhatItDoesWithoutIsNoSignOfAFailure() throws Exception {
    assertThat(
            byLogAlone(
                """
                sbatch: error: "SBATCH_EXCLUSIVE=true" -- invalid value, ignoring...
                slurmstepd: error: unable to add task[pid=123] to memory cg '(null)'
                + echo '[ERROR] the worker died'
                wrote 512 tiles
                """))
        .isEqualTo("no-failure-found");
  }

  /** A file's folder has no significance, but its device has. */
  @Test
  void theFoldersOfAFileAreNoWordsOfWhatARankDiedOf() throws Exception {
    String raised = END.replace("the shapes do not agree", "cannot read %s");
    assertThat(diagnose(raised.formatted("/opt/nccl/docker/checkpoint/a.bin")).failureClass())
        .isEqualTo("program-error");
    assertThat(diagnose(raised.formatted("/dev/nvidia0")).failureClass()).isEqualTo("no-gpu");
  }

  /** A program continues after its warnings, unless something shows that it did not. */
  @Test
  void aWarningAloneIsNoFailureWhereNobodyKnowsTheEnd() throws Exception {
    String warning =
        "2026-06-01 12:00:00.1: W loader.cc:12] RESOURCE_EXHAUSTED: out of memory, took less\n";
    assertThat(byLogAlone(warning + "wrote 512 tiles\n")).isEqualTo("no-failure-found");
    assertThat(byLogAlone(warning + "Aborted\n")).isEqualTo("oom-gpu");
    assertThat(byLogAlone(warning.replace(": W ", ": E ") + "wrote 512 tiles\n"))
        .isEqualTo("oom-gpu");
    assertThat(byLogAlone("WARNING: No GPU devices detected by the monitor\n"))
        .as("the class is of a warning")
        .isEqualTo("no-gpu");
    assertThat(byLogAlone("[ 308.545396] NVRM: Xid (PCI:0000:48:00): 79, pid=1, gone\n"))
        .as("a kernel calls nothing a warning")
        .isEqualTo("gpu-fault");
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
    assertThat(Phrases.EN.text(found.detail()))
        .doesNotContain("matches")
        .containsPattern("line \\d+ says '");
    assertThat(found.quotes())
        .anyMatch(q -> Phrases.EN.text(found.detail()).contains("'" + q.text() + "'"));
  }

  /** However alarming, a warning at the start does not cause an event a hundred steps later. */
  @Test
  void whatARankWentOnFromForSeveralStepsIsNoCause() throws Exception {
    String port = "0: n1:1:2 [0] NCCL WARN NET/IB : Got async event : port error\n";
    StringBuilder steps = new StringBuilder();
    for (int i = 0; i < 4; i++) {
      steps.append(STEP.formatted(i));
    }
    assertThat(diagnose(port + steps + END).failureClass()).isEqualTo("program-error");
    assertThat(diagnose(steps + port + END).failureClass()).isEqualTo("nic-fault");
    assertThat(diagnose(steps + port + STEP.formatted(5) + END).failureClass())
        .as("a step may be printed after the failure that it came before")
        .isEqualTo("nic-fault");
    assertThat(diagnose(port + steps.toString().replace("0: ", "1: ") + END).failureClass())
        .as("another rank's steps say nothing of this one's")
        .isEqualTo("nic-fault");
  }

  /** A job that survived an error during its start dies of another one after its first steps. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0: E0601 03:13:22.100000 141 x.cc:12] RESOURCE_EXHAUSTED: Out of memory while trying to"
            + " allocate 1234 bytes.\n",
        "0: OSError: [Errno 116] Stale file handle\n",
        "0: n1:1:2 [0] NCCL WARN NET/IB : Got async event : port error\n",
        "0: ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries\n",
      })
  void whatCameBeforeTheFirstStepIsNoCauseOfAnotherDeathAfterIt(String early) throws Exception {
    String known = diagnose(early + "Status: FAILED (exit 1)\n").failureClass();
    assertThat(known).isNotIn("program-error", "unclassified");
    Diagnosis found = diagnose(early + STEP.formatted(0) + END);
    assertThat(found.failureClass()).isEqualTo("program-error");
    assertThat(found.quotes().getFirst().text()).contains("SomethingOfItsOwnError");
    assertThat(diagnose(early + STEP.formatted(0) + "Status: FAILED (exit 1)\n").failureClass())
        .as("the step may be printed late, and nothing else tells what it died of")
        .isEqualTo(known);
    assertThat(diagnose(early + STEP.formatted(0) + END.replace("0: ", "1: ")).failureClass())
        .as("another rank's death says nothing of this one's")
        .isEqualTo(known);
    assertThat(diagnose(early + END).failureClass())
        .as("without a step between them the first is what it died of")
        .isEqualTo(known);
  }

  /** A known device fault counts as another failure, like an exception. */
  @Test
  void aKnownFailureAfterTheFirstStepIsAnotherDeathToo() throws Exception {
    String early = "0: OSError: [Errno 116] Stale file handle\n";
    String late = "0: n1:1:2 [0] NCCL WARN NET/IB : Got async event : port error\n";
    assertThat(diagnose(late + STEP.formatted(0) + early).failureClass())
        .isEqualTo("storage-error");
    assertThat(diagnose(early + STEP.formatted(0) + late).failureClass()).isEqualTo("nic-fault");
  }

  /** Steps of a program that no workload knows. */
  @Test
  void progressOfAnyProgramIsSurvivalToo() throws Exception {
    StringBuilder steps = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      steps.append("step %d loss %d.5 lr 0.1\n".formatted(i * 100, 9 - i));
    }
    String retried = "NCCL WARN socketPollConnect poll() failed, error Connection timed out\n";
    assertThat(diagnose(retried + steps + END).failureClass()).isEqualTo("program-error");
    assertThat(diagnose(steps + retried + "Status: FAILED (exit 1)\n").failureClass())
        .isEqualTo("nccl-error");
  }

  /** A progress bar is drawn once more while its program dies, with the same step or the next. */
  @ParameterizedTest
  @ValueSource(ints = {0, 3, 2000})
  void aBarThatIsDrawnOnceMoreBehindTheExceptionIsNoSurvival(int stepsBefore) throws Exception {
    String bar = " 20%%|##        | %d/5000 [00:51<03:23,  1.96it/s]\n";
    String raised =
        "Traceback (most recent call last):\nException: the input is of another shape\n";
    StringBuilder log = new StringBuilder();
    for (int i = 0; i <= stepsBefore; i++) {
      log.append(bar.formatted(i));
    }
    log.append(raised);
    for (int further = 0; further <= 1; further++) {
      String end = bar.formatted(stepsBefore + further);
      assertThat(byLogAlone(log + end)).as("%s further", further).isEqualTo("program-error");
      assertThat(byLogAlone(log + end + end)).isEqualTo("program-error");
    }
    assertThat(byLogAlone(log + bar.formatted(stepsBefore + 1) + bar.formatted(stepsBefore + 2)))
        .isEqualTo("no-failure-found");
    assertThat(byLogAlone(log + bar.formatted(4998) + bar.formatted(4999)))
        .as("or in the next epoch")
        .isEqualTo("no-failure-found");
  }

  /** A timed-out collective shows that another rank did not arrive, but never why. */
  @Test
  void aWatchdogIsAnEchoOfWhateverTheOtherRankTells() throws Exception {
    String watchdog =
        "[rank0]:[E512 03:43:50.102 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective"
            + " operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE)\n";
    String cause =
        "[rank5]: Traceback (most recent call last):\n" + "[rank5]: TypeError: expected a tensor\n";
    for (String log : List.of(watchdog + cause, cause + watchdog)) {
      Diagnosis found = diagnose(log + "Status: FAILED (exit 1)\n");
      assertThat(found.failureClass()).isEqualTo("program-error");
      assertThat(found.quotes().getFirst().text()).contains("TypeError");
    }
    assertThat(diagnose(watchdog + "Status: FAILED (exit 1)\n").failureClass())
        .isEqualTo("nccl-error");
  }

  /** How the real launcher ends a job after rank 1 raised: rank 0 is killed and cleaned up. */
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

  /**
   * Destructors and log handlers print what they raise; the job did not die of the disk's error.
   */
  @Test
  void anExceptionThatItsProgramIgnoresIsNoCause() throws Exception {
    String handled =
        """
        0: --- Logging error ---
        0: Traceback (most recent call last):
        0:   File "/usr/lib/python3.12/logging/__init__.py", line 1163, in emit
        0:     self.flush()
        0: OSError: [Errno 116] Stale file handle
        0: Call stack:
        0:   File "train.py", line 7, in <module>
        0: Message: 'saved'
        """;
    String ignored =
        """
        0: Exception ignored in: <function Writer.__del__ at 0x7f9d1>
        0: Traceback (most recent call last):
        0:   File "writer.py", line 9, in __del__
        0: OSError: [Errno 28] No space left on device
        """;
    assertThat(byLogAlone(handled + ignored + "0: the summary is written\n"))
        .isEqualTo("no-failure-found");
    for (String log : List.of(handled + END, END + ignored)) {
      Diagnosis found = diagnose(log);
      assertThat(found.failureClass()).isEqualTo("program-error");
      assertThat(found.quotes().getFirst().text()).contains("SomethingOfItsOwnError");
    }
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

  /** Steps of a program that no workload knows also show it. */
  @Test
  void aFloodThatAnyProgramSurvivedHidesNoLaterError() throws Exception {
    StringBuilder log = new StringBuilder();
    for (int step = 0; step < 3; step++) {
      for (int i = 0; i < 3 * Findings.MOST_JUDGED; i++) {
        log.append("0: AnErrorOfTheLoaderError: sample %d is skipped\n".formatted(i));
      }
      log.append("0: step %d loss 8.5 lr 0.1\n".formatted(step));
    }
    Diagnosis found = diagnose(log + END.replace("flax.errors.", ""));
    assertThat(found.quotes().getFirst().text()).contains("SomethingOfItsOwnError");
  }

  /** MaxText's logger may hide the steps, but its metrics file contains them. */
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

  private String byLogAlone(String text) throws Exception {
    Path log = Files.writeString(folder.resolve("job.log"), text);
    return new LogTriage(
            new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any").recognition(),
            Workloads::hearSteps)
        .ended(log, Optional.empty(), OptionalInt.empty(), 15)
        .failureClass();
  }

  private Diagnosis diagnose(String text) throws Exception {
    return diagnose(new JobLog(Files.writeString(folder.resolve("job.log"), text)));
  }

  static Diagnosis diagnose(JobLog log) throws Exception {
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
