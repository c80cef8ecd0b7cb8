package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.plan.Playbooks;
import io.nightsweep.plan.Resources;
import io.nightsweep.workload.Workloads;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log that is flooded with lines that patterns match is counted, and not judged line by line. */
@Tag("joblog")
@Tag("guard")
class FloodTest {
  private static final int BYTES = 12_000_000;

  /** A line that is judged anew takes about a hundred times as long as one that nothing matches. */
  private static final double MOST = 30;

  private static final String CLEAN = "0: I0601 03:12:22.100000 140 client.cc:12] buffer donated\n";
  private static final List<String> FLOODS =
      List.of(
          "n1:1:2 [0] misc.cc:12 NCCL WARN error timeout, and so forth without end\n",
          "0: NCCL WARN error RESOURCE_EXHAUSTED out of memory Check failed: ValueError: oom-kill\n",
          "0: Traceback (most recent call last)\n0: ValueError: a shape that does not fit at all\n",
          "0: /opt/lib/loader.py:12: UserWarning: ValueError: the index is built anew\n",
          "0: Memstats: After params initialized: and it is initialized again and again\n",
          "0: completed step: 1, seconds: 2.500, TFLOP/s/device: 1.0, Tokens/s/device: 10.0, loss: 8\n");

  @TempDir private Path folder;

  @Test
  void noFloodHoldsTheReader() throws Exception {
    PlaybookDiagnoser diagnoser =
        new PlaybookDiagnoser(
            new Playbooks(Resources.beside(Path.of("sweep.yaml"))).read("any").recognition(),
            Workloads::hearSteps);
    double clean = seconds(diagnoser, CLEAN);
    for (String flood : FLOODS) {
      assertThat(seconds(diagnoser, flood)).as(flood).isLessThan(MOST * clean);
    }
  }

  /** Of this thread's processor time, the least of three. */
  private double seconds(PlaybookDiagnoser diagnoser, String line) throws IOException {
    Path log = folder.resolve("job.log");
    Files.writeString(log, line.repeat(BYTES / line.length()));
    double least = Double.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      JobLog job = new JobLog(log);
      diagnoser.attend(job);
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      job.finish();
      least =
          Math.min(
              least,
              (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9);
    }
    return least;
  }
}
