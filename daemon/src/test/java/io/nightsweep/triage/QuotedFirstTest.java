package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Diagnosis;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Of several lines about a failure, the one with the reason comes first, by the packed playbook.
 */
@Tag("joblog")
class QuotedFirstTest {
  @TempDir private Path folder;

  @Test
  void aWarningIsQuotedBelowWhatCame() throws Exception {
    String warning =
        "2026-06-01 03:13:21.100000: W external/xla/bfc_allocator.cc:501] Allocator (GPU_0_bfc) ran"
            + " out of memory trying to allocate 1.86GiB";
    String error = "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory";
    Diagnosis found = diagnose(warning + "\n" + error + "\n");
    assertThat(found.failureClass()).isEqualTo("oom-gpu");
    assertThat(found.quotes().stream().map(Diagnosis.Quote::text))
        .containsSubsequence(error, warning);
    assertThat(diagnose(warning + "\n").quotes().getFirst().text()).isEqualTo(warning);
  }

  @Test
  void aSummaryOrAHeadingIsQuotedBelowTheLineWithTheReason() throws Exception {
    String noticed =
        "mpirun noticed that process rank 3 with PID 71 on node n2 exited on signal 9 (Killed).";
    String killed =
        "slurmstepd: error: Detected 2 oom_kill events in StepId=7.batch: out of memory.";
    assertThat(
            diagnose(noticed + "\n" + killed + "\n").quotes().stream().map(Diagnosis.Quote::text))
        .containsSubsequence(killed, noticed);
    String heading = "E xla_util.cc:88] Status: RESOURCE_EXHAUSTED: of the replica:";
    String reason = "RESOURCE_EXHAUSTED: Attempting to allocate 6.48G. That was not possible.";
    assertThat(diagnose(heading + "\n" + reason + "\n").quotes().getFirst().text())
        .isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          torch.distributed.DistBackendError: NCCL error in: /pytorch/NCCLUtils.cpp:77, unhandled cuda error, NCCL version 2.26.2;ncclUnhandledCudaError: Call to CUDA function failed.;Last error: | Cuda failure 802 'system not yet initialized'
          ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task. | The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR
          -------------- FATAL CALLED ---------------;FATAL CALLED FROM FILE:  <stdin>  LINE:     152 | crash: Error in file namelist.fire, namelist fuel_scalars
          /usr/bin/bash: line 1: 114402 Killed                  python merge.py | slurmstepd: error: Detected 1 oom_kill event in StepId=6514.batch. Some of the step tasks have been OOM Killed.
          """)
  void anAnnouncedErrorIsQuotedBelowItsReason(String announced, String reason) throws Exception {
    String before =
        "Traceback (most recent call last):\n  File \"train.py\", line 1, in <module>\n";
    String lines = announced.replace(';', '\n') + "\n" + reason + "\n";
    assertThat(diagnose(before + lines).quotes().getFirst().text()).isEqualTo(reason);
  }

  @Test
  void aRanksReasonIsFoundHoweverMuchTheOthersPrintBetween() throws Exception {
    String others = "[rank4]: waiting for the others\n".repeat(30);
    String error =
        "[rank3]: Traceback (most recent call last):\n"
            + "[rank3]: torch.distributed.DistBackendError: NCCL error in: NCCLUtils.cpp:77\n"
            + "[rank3]: Last error:\n"
            + "[rank3]: Duplicate GPU detected : rank 3 and rank 0 both on CUDA device f000\n";
    assertThat(diagnose(error.replace("\n", "\n" + others)).quotes().getFirst().text())
        .contains("Duplicate GPU detected");
  }

  /** Its type says nothing; its message, on the next line, says why it was thrown. */
  @Test
  void anExceptionThatRepeatsAnEchoIsAnEcho() throws Exception {
    String timedOut =
        "[Rank 2] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1) ran for 120431"
            + " milliseconds before timing out.\n";
    String thrown = "terminate called after throwing an instance of 'std::runtime_error'\n";
    String caused = "[E ProcessGroupNCCL.cpp:474] " + timedOut;
    assertThat(diagnose(caused + thrown + "  what():  " + timedOut).failureClass())
        .isEqualTo("nccl-error");
    Diagnosis other = diagnose(caused + thrown + "  what():  the table is not found\n");
    assertThat(other.failureClass()).isNotEqualTo("nccl-error");
  }

  private Diagnosis diagnose(String text) throws Exception {
    return SurvivedTest.diagnose(new JobLog(Files.writeString(folder.resolve("job.log"), text)));
  }
}
