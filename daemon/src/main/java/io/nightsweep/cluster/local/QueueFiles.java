package io.nightsweep.cluster.local;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.files.BoundedLock;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of a queue: one for each job, and a lock for every access to them. */
record QueueFiles(Path folder) {
  private static final Logger log = LoggerFactory.getLogger(QueueFiles.class);
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(10);
  private static final int MOST_JOB_BYTES = 1 << 20;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** An action under the lock of the files. */
  interface Locked<T> {
    T run(List<LocalJob> jobs) throws IOException, InterruptedException;
  }

  /** Runs an action on all jobs, the oldest first, under the lock. */
  <T> T locked(Locked<T> action) throws ClusterUnreachableException, InterruptedException {
    // A lock within the JVM around the file lock, since file locks belong to whole processes.
    synchronized (QueueFiles.class) {
      try {
        OwnFile.folder(folder);
        BoundedLock lock = BoundedLock.acquire(folder.resolve("lock"), LOCK_PATIENCE);
        try {
          return action.run(read());
        } finally {
          lock.close();
        }
      } catch (IOException e) {
        throw new ClusterUnreachableException(
            "the queue in " + folder + " cannot be used: " + e.getMessage(), e);
      }
    }
  }

  void write(LocalJob job) throws IOException {
    OwnFile.write(entry(job), MAPPER.writeValueAsBytes(job));
  }

  void delete(LocalJob job) throws IOException {
    Files.deleteIfExists(entry(job));
  }

  private List<LocalJob> read() throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(folder)) {
      List<LocalJob> jobs = new ArrayList<>();
      for (Path file : files.filter(f -> f.getFileName().toString().endsWith(".json")).toList()) {
        try {
          jobs.add(MAPPER.readValue(ForeignFile.read(file, MOST_JOB_BYTES), LocalJob.class));
        } catch (ClosedByInterruptException e) {
          // The entry is complete; only its reader was interrupted.
          Thread.interrupted();
          throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (IOException e) {
          // One unreadable entry must not hide all other jobs.
          log.warn("{} is put aside, since it cannot be read: {}", file, e.getMessage());
          Files.move(file, file.resolveSibling(file.getFileName() + ".unreadable"));
        }
      }
      jobs.sort(Comparator.comparingLong(LocalJob::id));
      return jobs;
    }
  }

  private Path entry(LocalJob job) {
    return folder.resolve(job.id() + ".json");
  }
}
