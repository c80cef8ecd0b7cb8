package io.nightsweep.cluster.local;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.ExitRecord;
import io.nightsweep.files.ForeignFile;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * First come, first served: a job waits until all its nodes are free. Every look at the queue moves
 * it on.
 */
final class LocalQueue {
  private static final Logger log = LoggerFactory.getLogger(LocalQueue.class);

  /** Between asking a job to end and making it end, as Slurm's KillWait. */
  private static final Duration KILL_WAIT = Duration.ofSeconds(3);

  private final QueueFiles files;

  LocalQueue(Path folder) {
    this.files = new QueueFiles(folder);
  }

  /** Does something with all jobs as they stand now, while nobody else touches the queue. */
  <T> T look(QueueFiles.Locked<T> action) throws ClusterUnreachableException, InterruptedException {
    return files.locked(jobs -> action.run(moveOn(jobs)));
  }

  /** Adds a job to those of a look. */
  void add(List<LocalJob> jobs, LocalJob job) throws IOException {
    files.write(job);
    List<LocalJob> all = new ArrayList<>(jobs);
    all.add(job);
    startWhatCan(all);
  }

  /** Asks a job to end; one that waits has ended with that. */
  void cancel(LocalJob job) throws IOException, InterruptedException {
    LocalJob cancelled = job.cancelled(System.currentTimeMillis());
    files.write(job.isWaiting() ? cancelled.ended(cancelled.cancelledAt()) : cancelled);
    OwnProcess.signal(cancelled, "TERM");
  }

  /** Removes what is kept of a job that has ended. */
  void forget(LocalJob job) throws IOException {
    files.delete(job);
  }

  /** Notes ends, enforces limits, starts what can start. */
  private List<LocalJob> moveOn(List<LocalJob> before) throws IOException, InterruptedException {
    List<LocalJob> jobs = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (LocalJob job : before) {
      LocalJob next = job;
      if (job.isRunning() && !OwnProcess.isAlive(job)) {
        next = job.ended(now);
      } else if (job.isRunning()) {
        if (job.overtimeAt() == 0
            && job.cancelledAt() == 0
            && now - job.startedAt() > job.limitMillis()) {
          next = job.overtime(now);
          OwnProcess.signal(next, "TERM");
        }
        long asked = Math.max(next.overtimeAt(), next.cancelledAt());
        if (asked > 0 && now - asked > KILL_WAIT.toMillis()) {
          OwnProcess.kill(next);
        }
      }
      if (!next.equals(job)) {
        files.write(next);
      }
      jobs.add(next);
    }
    return startWhatCan(jobs);
  }

  /** A node serves the jobs that ask for it in their order. */
  private List<LocalJob> startWhatCan(List<LocalJob> before) throws IOException {
    List<LocalJob> jobs = new ArrayList<>(before);
    Set<String> taken = new HashSet<>();
    jobs.stream().filter(LocalJob::isRunning).forEach(j -> taken.addAll(j.nodes()));
    for (int i = 0; i < jobs.size(); i++) {
      LocalJob job = jobs.get(i);
      if (job.isWaiting()) {
        if (job.nodes().stream().noneMatch(taken::contains)) {
          jobs.set(i, start(job));
        }
        taken.addAll(job.nodes());
      }
    }
    return jobs;
  }

  private LocalJob start(LocalJob job) throws IOException {
    LocalJob next;
    if (hasItsFolder(job)) {
      long pid = hasItsClaim(job) ? OwnProcess.leader(job.files().script()) : OwnProcess.start(job);
      next = job.started(pid, OwnProcess.birth(pid), System.currentTimeMillis());
    } else {
      // It ends, rather than hold up all that wait behind it.
      log.warn("job {} cannot start, since {} is not as it was", job.id(), job.directory());
      next = job.ended(System.currentTimeMillis());
    }
    files.write(next);
    return next;
  }

  /** Whether a daemon started the job, and was killed before it could write that down. */
  private static boolean hasItsClaim(LocalJob job) {
    return ExitRecord.claimant(job.files()).filter(job.jobId()::equals).isPresent();
  }

  /** Whether the job's script is there, and nothing in the place of its log that has to stay. */
  private static boolean hasItsFolder(LocalJob job) throws IOException {
    Path folder = job.files().directory();
    boolean isReplaced = Files.exists(folder) && !Files.isDirectory(folder);
    if (isReplaced || Files.notExists(job.files().script())) {
      return false;
    }
    try {
      // An earlier job may have put a pipe there, which would block the start.
      ForeignFile.removeUnlessRegular(job.files().log());
      return true;
    } catch (DirectoryNotEmptyException e) {
      return false;
    }
  }
}
