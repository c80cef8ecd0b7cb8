package io.nightsweep.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a job's wrapper wrote when its payload had ended.
 *
 * @param signal the signal that the wrapper itself was sent, 0 for none: then someone else ended
 *     the job, and only the cluster knows why
 * @param startedAt seconds since the epoch
 * @param endedAt seconds since the epoch
 */
public record ExitRecord(
    String job, int exitCode, int signal, double startedAt, double endedAt, String host) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** The record of the job that holds the claim, where it has ended. */
  public static Optional<ExitRecord> read(JobFiles files) {
    refresh(files.directory());
    return read(files.exitRecord());
  }

  /** Whether this job ended because another one holds the intent. */
  public static Optional<ExitRecord> readDuplicate(JobFiles files, JobId job) {
    return read(files.directory().resolve("duplicate." + job.value() + ".json"));
  }

  /** The job that holds the claim. */
  public static Optional<JobId> claimant(JobFiles files) {
    refresh(files.directory());
    try {
      String id = Files.readString(files.claim()).strip();
      return id.isEmpty() ? Optional.empty() : Optional.of(new JobId(id));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  public JobEnd end(JobEnd.State state) {
    return new JobEnd(
        state,
        exitCode,
        Optional.of(instant(startedAt)),
        instant(endedAt),
        JobEnd.Source.EXIT_RECORD);
  }

  private static Optional<ExitRecord> read(Path file) {
    try {
      return Optional.of(MAPPER.readValue(Files.readString(file), ExitRecord.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Listing a directory makes network filesystems look again. */
  private static void refresh(Path directory) {
    try (Stream<Path> entries = Files.list(directory)) {
      entries.forEach(entry -> {});
    } catch (IOException e) {
      // Not there yet: then there is nothing to read either.
    }
  }

  private static Instant instant(double seconds) {
    return Instant.ofEpochMilli(Math.round(seconds * 1000));
  }
}
