package io.nightsweep.cluster.local;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.Submission;
import io.nightsweep.sweep.JobId;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job's entry in the queue's directory. Times are milliseconds since the epoch, 0 for events that
 * have not happened.
 *
 * @param pid of the job's own session, 0 before it started
 * @param birth the kernel's start time of that process, which distinguishes it from a later process
 *     with the pid
 * @param cancelledAt when somebody requested its end
 * @param overtimeAt when it reached its time limit
 */
record LocalJob(
    long id,
    String name,
    String user,
    List<String> nodes,
    String directory,
    long limitMillis,
    long pid,
    long birth,
    long startedAt,
    long endedAt,
    long cancelledAt,
    long overtimeAt) {

  static LocalJob queued(long id, Submission s) {
    return new LocalJob(
        id,
        s.jobName(),
        System.getProperty("user.name", "unknown"),
        s.nodes(),
        s.files().directory().toString(),
        s.timeLimit().toMillis(),
        0,
        0,
        0,
        0,
        0,
        0);
  }

  @JsonIgnore
  JobId jobId() {
    return new JobId(Long.toString(id));
  }

  @JsonIgnore
  JobFiles files() {
    return new JobFiles(Path.of(directory));
  }

  @JsonIgnore
  boolean isWaiting() {
    return startedAt == 0 && endedAt == 0;
  }

  @JsonIgnore
  boolean isRunning() {
    return startedAt > 0 && endedAt == 0;
  }

  @JsonIgnore
  Optional<Instant> start() {
    return startedAt == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(startedAt));
  }

  LocalJob started(long newPid, long newBirth, long at) {
    return with(newPid, newBirth, at, endedAt, cancelledAt, overtimeAt);
  }

  LocalJob ended(long at) {
    return with(pid, birth, startedAt, at, cancelledAt, overtimeAt);
  }

  LocalJob cancelled(long at) {
    return with(pid, birth, startedAt, endedAt, at, overtimeAt);
  }

  LocalJob overtime(long at) {
    return with(pid, birth, startedAt, endedAt, cancelledAt, at);
  }

  private LocalJob with(
      long pid, long birth, long startedAt, long endedAt, long cancelledAt, long overtimeAt) {
    return new LocalJob(
        id,
        name,
        user,
        nodes,
        directory,
        limitMillis,
        pid,
        birth,
        startedAt,
        endedAt,
        cancelledAt,
        overtimeAt);
  }
}
