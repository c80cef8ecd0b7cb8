package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.Rank;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.TrialId;
import io.nightsweep.workload.Workloads;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * If a log is flooded with lines that patterns match, only its beginning is searched for them.
 * {@code daemon/bench/flood} measures how long a flood takes.
 */
@Tag("joblog")
@Tag("guard")
@Tag("slow")
class FloodTest {
  private static final AttemptId JOB = new AttemptId(new TrialId(1), 1);

  /** A part of a log is searched as a unit, and the flood ends inside none. */
  private static final int PART = 1 << 20;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "n1:1:2 [0] misc.cc:12 NCCL WARN error timeout, and so forth without end\n",
        "0: NCCL WARN error RESOURCE_EXHAUSTED out of memory Check failed: ValueError: oom-kill\n",
        "0: Traceback (most recent call last)\n0: ValueError: a shape that does not fit at all\n",
        "0: /opt/lib/loader.py:12: UserWarning: ValueError: the index is built anew\n",
      })
  void aFloodIsNotSearchedToItsEnd(String line) throws Exception {
    long lines = 24L * PART / line.length();
    // A mark is counted however often it is printed.
    assertThat(matches(line, lines)).isPositive().isLessThan(lines + 2 * Findings.MOST_IN_VAIN);
  }

  /** A continuing mark, a repeated step and a known rank's host are no news. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0: Memstats: After params initialized: and it is initialized again and again\n",
        "0: completed step: 1, seconds: 2.500, TFLOP/s/device: 1.0, Tokens/s/device: 10.0, loss: 8\n",
        "0: the environment has SLURMD_NODENAME=n1 as it had in each step before this one\n",
      })
  void aFloodOfStationsIsNotSearchedToItsEnd(String line) throws Exception {
    long few = 1000;
    long lines = 64L * PART / line.length();
    long ofEach = matches(line, few) / few;
    assertThat(ofEach).isPositive();
    assertThat(matches(line, lines)).isLessThan(ofEach * lines / 2);
  }

  /** A healthy job of 64 ranks prints little else, and the engine takes long for each match. */
  @Test
  void whatARankMayDieOfIsNotLookedForInHealthyLines() throws Exception {
    String line =
        "3: n0:140:200 [3] NCCL INFO Channel 05/16 : 37[5] -> 53[4] via NET/IB/0/GDRDMA\n";
    assertThat(matches(line, 10_000)).isZero();
  }

  /**
   * A flood of one rank's host hides neither another rank's host nor the number of steps to come.
   */
  @Test
  void whatFewLinesTellIsReadBehindTheFloodOfOthers() throws Exception {
    Path log = folder.resolve("job.log");
    try (BufferedWriter to = Files.newBufferedWriter(log)) {
      repeat(to, "0: SLURMD_NODENAME=n1\n", 2L * Findings.MOST_JUDGED);
      repeat(to, "0: Config param steps: 20\n", 2L * Findings.MOST_JUDGED);
      to.write("1: SLURMD_NODENAME=n2\n0: SLURMD_NODENAME=n3\n0: Config param steps: 15\n");
    }
    JobLog job = new JobLog(log);
    Findings findings = diagnoser().findings(job);
    job.finish();
    assertThat(findings.facts().host(new Rank(0, ""))).contains("n1");
    assertThat(findings.facts().host(new Rank(1, ""))).contains("n2");
    assertThat(findings.facts().stepsTotal()).isEqualTo(15);
  }

  /** The diagnosis of a job's end must not depend on where a part of its log begins. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, PART / 2, PART - 1})
  void anErrorAfterTheStepThatEndsAFloodIsFound(int more) throws Exception {
    String flood = "0: jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: out of memory\n";
    Path log = folder.resolve("job.log");
    try (BufferedWriter to = Files.newBufferedWriter(log)) {
      repeat(to, flood, 4L * PART / flood.length());
      to.write("x".repeat(more) + "\n");
      for (int i = 1; i <= 4; i++) {
        to.write(
            "0: completed step: "
                + i
                + ", seconds: 2.500, TFLOP/s/device: 1.0, Tokens/s/device: 10.0, loss: 8\n");
      }
      to.write(flood);
    }
    assertThat(diagnosis(log).failureClass()).isEqualTo("oom-gpu");
  }

  private static PlaybookDiagnoser diagnoser() throws Exception {
    return new PlaybookDiagnoser(
        new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any").recognition(),
        Workloads::hearSteps);
  }

  private static Diagnosis diagnosis(Path log) throws Exception {
    return diagnoser()
        .diagnose(
            JOB,
            new JobEnd(
                JobEnd.State.FAILED, 1, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD),
            new JobLog(log),
            4,
            14,
            Optional.empty());
  }

  private long matches(String line, long lines) throws Exception {
    Path log = folder.resolve("job.log");
    try (BufferedWriter to = Files.newBufferedWriter(log)) {
      repeat(to, line, lines);
    }
    JobLog job = new JobLog(log);
    diagnoser().attend(job);
    job.finish();
    return job.matchesFound();
  }

  private static void repeat(BufferedWriter to, String line, long times) throws IOException {
    for (long i = 0; i < times; i++) {
      to.write(line);
    }
  }
}
