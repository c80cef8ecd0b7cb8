package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Recognition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;

/** Diagnoses logs from public threads: as logs of jobs with a known end, or from the log alone. */
public final class ThreadRun {
  private static final int NO_STEPS_TOLD = 15;

  private final SampleRun ofJobs;
  private final LogTriage alone;
  private final Path scratch;

  /**
   * @param steps adds to a log the listener that reads its steps
   * @param scratch a directory for the logs
   */
  public ThreadRun(Recognition recognition, Consumer<JobLog> steps, Path scratch) {
    this.ofJobs = new SampleRun(new PlaybookDiagnoser(recognition, steps), scratch);
    this.alone = new LogTriage(recognition, steps);
    this.scratch = scratch;
  }

  public Optional<Diagnosis> run(ThreadSample thread) throws IOException {
    if (!thread.isUntold()) {
      return ofJobs.run(thread.sample());
    }
    Path log = Files.writeString(scratch.resolve("untold.log"), thread.sample().log());
    try {
      return Optional.of(alone.ended(log, Optional.empty(), OptionalInt.empty(), NO_STEPS_TOLD));
    } finally {
      Files.delete(log);
    }
  }
}
