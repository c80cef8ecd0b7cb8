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
 * First come, first served: a job waits until all its nodes are free. Every access to the queue
 * also advances it.
 */
final class LocalQueue {
  private static final Logger log = LoggerFactory.getLogger(LocalQueue.class);

  /** Time between a request to end and a forced end of a job, like Slurm's KillWait. */
  private static final Duration KILL_WAIT = Duration.ofSeconds(3);

  private final QueueFiles files;

  LocalQueue(Path folder) {
    this.files = new QueueFiles(folder);
  }

  /** Runs an action on all jobs in their present state, under the queue's lock. */
  <T> T look(QueueFiles.Locked<T> action) throws ClusterUnreachableException, InterruptedException {
    return files.locked(jobs -> action.run(moveOn(jobs)));
  }

  /** Adds a job; called within an action. */
  void add(List<LocalJob> jobs, LocalJob job) throws IOException {
    files.write(job);
    List<LocalJob> all = new ArrayList<>(jobs);
    all.add(job);
    startWhatCan(all);
  }

  /** Requests a job's end; a waiting job ends at once. */
  void cancel(LocalJob job) throws IOException, InterruptedException {
    LocalJob cancelled = job.cancelled(System.currentTimeMillis());
    files.write(job.isWaiting() ? cancelled.ended(cancelled.cancelledAt()) : cancelled);
    OwnProcess.signal(cancelled, "TERM");
  }

  /** Removes the entry of an ended job. */
  void forget(LocalJob job) throws IOException {
    files.delete(job);
  }

  /** Records ends, enforces limits, and starts the jobs that can start. */
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

  /** Starts jobs: each node serves the jobs that need it in their order. */
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
      // The job ends, so that it does not block all jobs behind it.
      log.warn("job {} cannot start, since {} has changed", job.id(), job.directory());
      next = job.ended(System.currentTimeMillis());
    }
    files.write(next);
    return next;
  }

  /** Whether the job was started by a daemon that was killed before it could record that. */
  private static boolean hasItsClaim(LocalJob job) {
    return ExitRecord.claimant(job.files()).filter(job.jobId()::equals).isPresent();
  }

  /** Whether the job's script exists and its log can be created. */
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
