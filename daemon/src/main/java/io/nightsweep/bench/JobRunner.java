package io.nightsweep.bench;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.JobId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Queues one job and waits for its end. */
final class JobRunner {
  /** After this long without any source knowing it, a job counts as vanished. */
  private static final Duration GRACE = Duration.ofMinutes(2);

  /** After this long without an answer from the cluster, the run gives up. */
  private static final Duration PATIENCE = Duration.ofMinutes(30);

  private final Cluster cluster;
  private final Duration poll;
  private final InstantSource clock;

  JobRunner(Cluster cluster, Duration poll, InstantSource clock) {
    this.cluster = cluster;
    this.poll = poll;
    this.clock = clock;
  }

  /**
   * How a job ended.
   *
   * @param words for reasons, such as {@code job 17 ended FAILED with exit 42}
   * @param ran run time as reported by the cluster, or else accurate to one poll
   */
  record Ended(JobId job, String words, Duration ran) {
    /** For a job that was never queued, or for which no run waited to the end. */
    static Ended unseen(String words) {
      return new Ended(new JobId("none"), words, Duration.ZERO);
    }
  }

  /**
   * @param look called with the time at each poll until the job has ended
   * @throws SubmissionRefusedException where nothing was queued
   * @throws ClusterUnreachableException where the cluster did not answer for half an hour; a queued
   *     job stays
   * @throws InterruptedException where the thread was interrupted; the job is cancelled
   */
  Ended run(Submission submission, Consumer<Instant> look)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    Instant intended = clock.instant();
    return awaitOrCancel(
        new JobHandle(
            submission.jobName(),
            Optional.of(submit(submission, intended)),
            intended,
            submission.files()),
        look);
  }

  /** Waits for a job that an earlier, ended command had queued. */
  Ended rejoin(JobHandle intent, Consumer<Instant> look)
      throws ClusterUnreachableException, InterruptedException {
    Optional<JobId> job = cluster.find(intent);
    return job.isPresent()
        ? awaitOrCancel(
            new JobHandle(intent.jobName(), job, intent.intendedAt(), intent.files()), look)
        : Ended.unseen("no source knows the job " + intent.jobName());
  }

  private Ended awaitOrCancel(JobHandle handle, Consumer<Instant> look)
      throws ClusterUnreachableException, InterruptedException {
    try {
      return await(handle, handle.job().orElseThrow(), look);
    } catch (InterruptedException e) {
      cluster.cancel(handle);
      throw e;
    }
  }

  /** Submits the job. If the answer is lost, looks for the job by its unique name. */
  private JobId submit(Submission submission, Instant intended)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    try {
      return cluster.submit(submission);
    } catch (ClusterUnreachableException e) {
      Thread.sleep(poll.multipliedBy(2));
      return cluster
          .find(new JobHandle(submission.jobName(), Optional.empty(), intended, submission.files()))
          .orElseThrow(() -> e);
    }
  }

  private Ended await(JobHandle handle, JobId job, Consumer<Instant> look)
      throws ClusterUnreachableException, InterruptedException {
    Instant answered = clock.instant();
    Instant began = answered;
    Optional<Instant> unknownSince = Optional.empty();
    while (true) {
      Instant now = clock.instant();
      try {
        JobStatus status =
            cluster
                .observe(List.of(handle))
                .getOrDefault(handle, new JobStatus.Unknown("no answer"));
        answered = now;
        switch (status) {
          case JobStatus.Ended e -> {
            return new Ended(
                job,
                "job " + job + " ended " + e.end().state() + " with exit " + e.end().exitCode(),
                Duration.between(
                    e.end().startedAt().orElse(began),
                    e.end().startedAt().isPresent() ? e.end().endedAt() : now));
          }
          case JobStatus.Unknown u -> unknownSince = unknownSince.or(() -> Optional.of(now));
          case JobStatus.Pending p -> {
            unknownSince = Optional.empty();
            began = now;
          }
          case JobStatus.Running r -> unknownSince = Optional.empty();
          case JobStatus.Completing c -> unknownSince = Optional.empty();
        }
      } catch (ClusterUnreachableException e) {
        if (Duration.between(answered, now).compareTo(PATIENCE) > 0) {
          throw e;
        }
      }
      if (unknownSince.filter(s -> Duration.between(s, now).compareTo(GRACE) > 0).isPresent()) {
        return new Ended(
            job,
            "job " + job + " vanished: no source knows how it ended",
            Duration.between(began, now));
      }
      look.accept(now);
      Thread.sleep(poll);
    }
  }
}
