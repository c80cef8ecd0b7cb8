package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.joblog.StepTeller;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/** Reads a training log as a look at a job does; {@code daemon/bench/steps} times it. */
final class ReadSteps {
  private ReadSteps() {}

  public static void main(String[] args) throws IOException {
    long before = System.nanoTime();
    TrainingLog log =
        new TrainingLog(
            EnvBlock.variables(Map.of("NCCL_PROTO", "", "NCCL_ALGO", "")), StepTeller.NOBODY);
    JobLog job = new JobLog(Path.of(args[0]));
    job.listener(TrainingLog.class, () -> log);
    job.finish();
    System.out.printf(
        Locale.ROOT,
        "last step %d, %d steps, %.2f s%n",
        log.lastStep(),
        log.series(StepLine::tgs).size(),
        (System.nanoTime() - before) / 1e9);
  }
}
