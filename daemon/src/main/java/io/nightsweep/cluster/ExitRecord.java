package io.nightsweep.cluster;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a job's wrapper wrote when its payload had ended.
 *
 * @param signal the signal sent to the wrapper itself, 0 for none; a signal means that someone else
 *     ended the job, and only the cluster knows why
 * @param startedAt seconds since the epoch
 * @param endedAt seconds since the epoch
 */
public record ExitRecord(
    String job, int exitCode, int signal, double startedAt, double endedAt, String host) {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** A limit: the wrapper writes about 150 bytes, but the job may have replaced the file. */
  private static final int MOST_BYTES = 4096;

  /** The year 2100. Later times could overflow calculations. */
  private static final double LATEST_SECONDS = 4_102_444_800.0;

  private static final Pattern JOB_ID = Pattern.compile("\\d{1,18}");

  /** The record of the job that holds the claim, if it has ended. */
  public static Optional<ExitRecord> read(JobFiles files) {
    refresh(files.directory());
    return read(files.exitRecord());
  }

  /** The record of this job if it ended because another job holds the intent. */
  public static Optional<ExitRecord> readDuplicate(JobFiles files, JobId job) {
    return claimant(files).filter(job::equals).isPresent()
        ? Optional.empty()
        : read(duplicate(files, job));
  }

  /**
   * Whether the cluster started the job a second time, as a controller does after it returned to an
   * earlier state. The second start found the claim of the first and did nothing.
   */
  public static boolean ranAgain(JobFiles files, JobId job) {
    return claimant(files).filter(job::equals).isPresent()
        && read(duplicate(files, job)).isPresent();
  }

  private static Path duplicate(JobFiles files, JobId job) {
    return files.directory().resolve("duplicate." + job.value() + ".json");
  }

  /** Whether the claim was created but its text was lost, as on a full disk. */
  public static boolean isClaimLost(JobFiles files) {
    refresh(files.directory());
    try {
      BasicFileAttributes claim =
          Files.readAttributes(files.claim(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return claim.isRegularFile() && claim.size() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * The job that, by its own claim, owns the intent. Any job of this user can write the file, so
   * the caller checks the cluster's information about that job.
   */
  public static Optional<JobId> claimant(JobFiles files) {
    refresh(files.directory());
    try {
      String id =
          new String(ForeignFile.read(files.claim(), MOST_BYTES), StandardCharsets.UTF_8).strip();
      return JOB_ID.matcher(id).matches() ? Optional.of(new JobId(id)) : Optional.empty();
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
      ExitRecord record = MAPPER.readValue(ForeignFile.read(file, MOST_BYTES), ExitRecord.class);
      return Optional.ofNullable(record).filter(ExitRecord::isWhole);
    } catch (IOException e) {
      // Missing, or not written by the wrapper: then the cluster's information counts.
      return Optional.empty();
    }
  }

  /** Whether all fields that the wrapper always writes are present. */
  @SuppressWarnings("ConstantConditions")
  private boolean isWhole() {
    return job != null && host != null && isOfACalendar(startedAt) && isOfACalendar(endedAt);
  }

  private static boolean isOfACalendar(double seconds) {
    return seconds >= 0 && seconds < LATEST_SECONDS;
  }

  /**
   * Lists the directory, which makes network filesystems refresh it. Checks first that it is one,
   * since a pipe would block.
   */
  private static void refresh(Path directory) {
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> entries = Files.list(directory)) {
      entries.forEach(entry -> {});
    } catch (IOException e) {
      // The file does not exist yet, so there is nothing to read.
    }
  }

  private static Instant instant(double seconds) {
    return Instant.ofEpochMilli(Math.round(seconds * 1000));
  }
}
