package io.nightsweep.triage;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.TrialId;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Diagnoses samples like the logs of jobs. */
public final class SampleRun {
  /** The expectation of a sample in which a running job must be left alone. */
  public static final String HEALTHY = "none";

  private final Diagnoser diagnoser;
  private final Path scratch;
  private int count;

  /**
   * @param scratch a directory for the logs
   */
  public SampleRun(Diagnoser diagnoser, Path scratch) {
    this.diagnoser = diagnoser;
    this.scratch = scratch;
  }

  /** The diagnosis; empty if a running job is left alone. */
  public Optional<Diagnosis> run(Sample sample) throws IOException {
    AttemptId attempt = new AttemptId(new TrialId(++count), 1);
    Path log = scratch.resolve("sample-" + count + ".log");
    if (!sample.log().isEmpty()) {
      Files.writeString(log, sample.log());
    }
    if (sample.leastBytes() > 0) {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        file.setLength(Math.max(file.length(), sample.leastBytes()));
      }
    }
    try {
      if (sample.end().isEmpty()) {
        Watch watch = sample.running().orElseThrow();
        // A flood is read in several passes.
        JobLog running = new JobLog(log);
        Optional<Diagnosis> seen = diagnoser.look(attempt, running, watch);
        return seen.isPresent() ? seen : diagnoser.look(attempt, running, watch);
      }
      return Optional.of(
          diagnoser.diagnose(
              attempt,
              sample.end().get(),
              new JobLog(log),
              sample.step(),
              sample.stepsTotal(),
              Optional.empty()));
    } finally {
      Files.deleteIfExists(log);
    }
  }

  /** Whether the sample gets the expected class. */
  public static boolean isRight(Sample sample, Optional<Diagnosis> diagnosis) {
    return diagnosis.map(Diagnosis::failureClass).orElse(HEALTHY).equals(sample.expected());
  }
}
