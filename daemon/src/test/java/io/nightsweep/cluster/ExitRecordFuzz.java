package io.nightsweep.cluster;

import io.nightsweep.fuzz.Scratch;
import io.nightsweep.sweep.JobEnd;
import java.nio.file.Files;
import java.time.Duration;

/** A file in the place of a job's record is read as a record or ignored. */
public final class ExitRecordFuzz {
  private ExitRecordFuzz() {}

  /** Called by the fuzzer, and with each stored sample. */
  public static void fuzzerTestOneInput(byte[] input) throws Exception {
    JobFiles files = new JobFiles(Scratch.folder());
    Files.write(files.exitRecord(), input);
    Files.write(files.claim(), input);
    ExitRecord.claimant(files).ifPresent(job -> Scratch.check(job.value().length() < 20, job));
    ExitRecord.read(files)
        .map(record -> record.end(JobEnd.State.FAILED))
        .ifPresent(ExitRecordFuzz::reckon);
  }

  /** Computations with its times must not overflow. */
  private static void reckon(JobEnd end) {
    Duration took = Duration.between(end.startedAt().orElseThrow(), end.endedAt());
    Scratch.check(Math.abs(took.toNanos()) >= Math.abs(took.toMillis()), end);
  }
}
