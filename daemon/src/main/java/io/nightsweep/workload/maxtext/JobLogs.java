package io.nightsweep.workload.maxtext;

import io.nightsweep.joblog.LogFile;
import io.nightsweep.joblog.Rank;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds a job's output. Helpers rename logs and folders after the run, for instance with {@code
 * -TGS_1135.700} at the end; only the job's id at the beginning is certain.
 */
final class JobLogs {
  /** The prefix of an event file's name. */
  static final String EVENTS = "events.out.tfevents.";

  private static final int MOST_EVENT_FILES = 8;

  /** More files than any job has ranks; a faulty job may create millions. */
  static final int MOST_FILES = 4_096;

  private static final Comparator<Path> OUTPUT_FIRST =
      Comparator.<Path, Boolean>comparing(file -> file.toString().endsWith(Rank.ERRORS))
          .thenComparing(Comparator.naturalOrder());

  private JobLogs() {}

  /** The job's main log in the launcher's output folder. */
  static Optional<Path> main(Path outputs, JobId job) {
    return named(outputs, job).stream()
        .filter(path -> path.toString().endsWith(".log") && Files.isRegularFile(path))
        .findFirst();
  }

  /** The job's own folder. */
  static Optional<Path> folder(Path outputs, JobId job) {
    return named(outputs, job).stream().filter(Files::isDirectory).findFirst();
  }

  /**
   * What Ray's workers wrote to standard output and error. Where these files exist they are
   * complete, unlike the main log. Tracebacks and XLA's fatal errors are in the second file, which
   * is listed behind the first: where both are read at once, no step follows the fatal line.
   */
  static List<LogFile> ray(Path folder) {
    Path logs = folder.resolve("ray_logs");
    if (!Files.isDirectory(logs)) {
      return List.of();
    }
    try (Stream<Path> files = Files.find(logs, 2, (file, attributes) -> isWorkers(file))) {
      return files.limit(MOST_FILES).sorted(OUTPUT_FIRST).map(JobLogs::ofItself).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** The metrics files of the job's ranks, used where its log shows no steps. */
  static List<LogFile> metrics(Path folder) {
    try (Stream<Path> files =
        Files.find(
            folder,
            2,
            (file, attributes) ->
                String.valueOf(file.getFileName()).startsWith(InstalledMaxText.METRICS))) {
      return files.limit(MOST_FILES).sorted().map(JobLogs::ofItself).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /**
   * TensorBoard's event files: {@code RUN/tensorboard/RUN/events.out.tfevents.*} in the job's
   * folder, written by MaxText's first process; each start of the process creates another file.
   */
  static List<LogFile> events(Path folder) {
    List<LogFile> found = new ArrayList<>();
    for (Path run : folders(folder)) {
      for (Path writer : folders(run.resolve("tensorboard"))) {
        entries(writer, EVENTS + "*").stream()
            .map(file -> new LogFile(file, ofItself(file).rank(), LogFile.Form.EVENTS))
            .forEach(found::add);
      }
    }
    return found.subList(0, Math.min(MOST_EVENT_FILES, found.size()));
  }

  private static List<Path> folders(Path folder) {
    return entries(folder, "*").stream()
        .filter(entry -> Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS))
        .toList();
  }

  /** A file with a single writer; the file's name stands for the process. */
  private static LogFile ofItself(Path file) {
    return new LogFile(file, new Rank(-1, String.valueOf(file.getFileName())));
  }

  private static boolean isWorkers(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.startsWith("worker") && (name.endsWith(Rank.OUTPUT) || name.endsWith(Rank.ERRORS));
  }

  private static List<Path> named(Path outputs, JobId job) {
    return entries(outputs, job.value() + "-*");
  }

  private static List<Path> entries(Path folder, String names) {
    List<Path> found = new ArrayList<>();
    if (!Files.isDirectory(folder)) {
      // A job may have replaced the folder by a pipe, and listing that would block.
      return found;
    }
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, names)) {
      for (Path entry : entries) {
        if (found.size() == MOST_FILES) {
          break;
        }
        found.add(entry);
      }
    } catch (IOException | DirectoryIteratorException e) {
      return List.of();
    }
    found.sort(Comparator.naturalOrder());
    return found;
  }
}
