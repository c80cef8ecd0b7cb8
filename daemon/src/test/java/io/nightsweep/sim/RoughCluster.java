package io.nightsweep.sim;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobEnd.State;
import io.nightsweep.sweep.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * A cluster on which everything goes wrong that can: jobs end in every state, hang, vanish and are
 * claimed twice; the controller is away for a while; answers are lost and submissions refused.
 */
final class RoughCluster implements Cluster {
  private static final List<State> ENDS =
      List.of(
          State.FAILED,
          State.FAILED,
          State.FAILED,
          State.FAILED,
          State.CANCELLED,
          State.TIME_LIMIT,
          State.OUT_OF_MEMORY,
          State.NODE_FAIL,
          State.PREEMPTED,
          State.REQUEUED,
          State.NEVER_STARTED);
  private static final Duration JOB = Duration.ofMinutes(6);

  private final VirtualClock clock;
  private final SplittableRandom random;
  private final double roughness;
  private final Consumer<Submission> onSubmit;
  private final Map<JobId, Job> jobs = new LinkedHashMap<>();
  private Instant busyUntil = Instant.EPOCH;
  private Instant awayUntil = Instant.EPOCH;

  /**
   * @param end empty: the job is gone and no source knows it
   */
  private record Job(
      String name, List<String> nodes, Instant start, Instant endsAt, Optional<State> end) {
    boolean isLive(Instant now) {
      return now.isBefore(endsAt);
    }
  }

  RoughCluster(
      VirtualClock clock,
      SplittableRandom random,
      double roughness,
      Consumer<Submission> onSubmit) {
    this.clock = clock;
    this.random = random;
    this.roughness = roughness;
    this.onSubmit = onSubmit;
  }

  @Override
  public JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException {
    answerOrNot();
    if (chance(0.3)) {
      throw new SubmissionRefusedException("refused");
    }
    onSubmit.accept(submission);
    JobId id = queue(submission.jobName(), submission.nodes(), submission.timeLimit());
    if (chance(0.3)) {
      throw new ClusterUnreachableException("the answer is lost");
    }
    return id;
  }

  private JobId queue(String name, List<String> nodes, Duration timeLimit) {
    Instant now = clock.instant();
    Instant start = busyUntil.isAfter(now) ? busyUntil : now;
    boolean hangs = chance(0.2);
    Optional<State> end = Optional.of(State.COMPLETED);
    if (hangs) {
      end = Optional.of(State.TIME_LIMIT);
    } else if (chance(1)) {
      end = Optional.of(ENDS.get(random.nextInt(ENDS.size())));
    } else if (chance(0.2)) {
      end = Optional.empty();
    }
    Instant endsAt = start.plus(hangs ? timeLimit : JOB.plusSeconds(random.nextInt(120)));
    busyUntil = endsAt;
    JobId id = new JobId(Integer.toString(1000 + jobs.size()));
    if (chance(0.1)) {
      // Another job of the same intent was first to claim it.
      jobs.put(id, new Job(name, nodes, start, start, Optional.of(State.DUPLICATE)));
      id = new JobId(Integer.toString(1000 + jobs.size()));
      jobs.put(id, new Job(name, nodes, start, endsAt, end));
      return new JobId(Integer.toString(1000 + jobs.size() - 2));
    }
    jobs.put(id, new Job(name, nodes, start, endsAt, end));
    return id;
  }

  /** Jobs of an intent that run or wait and have not been found to be duplicates. */
  long live(String name) {
    return jobs.values().stream()
        .filter(j -> j.name().equals(name) && j.isLive(clock.instant()))
        .count();
  }

  @Override
  public Map<JobId, JobStatus> observe(Collection<JobHandle> handles)
      throws ClusterUnreachableException {
    answerOrNot();
    Map<JobId, JobStatus> statuses = new LinkedHashMap<>();
    handles.forEach(
        h ->
            h.job()
                .ifPresent(id -> statuses.put(id, status(Objects.requireNonNull(jobs.get(id))))));
    return statuses;
  }

  private JobStatus status(Job job) {
    Instant now = clock.instant();
    if (now.isBefore(job.start())) {
      return new JobStatus.Pending("Resources", false);
    }
    if (job.isLive(now)) {
      return chance(0.2)
          ? new JobStatus.Unknown("not listed")
          : new JobStatus.Running(job.start(), job.nodes());
    }
    if (job.end().isEmpty()) {
      return new JobStatus.Unknown("gone");
    }
    State state = job.end().get();
    return new JobStatus.Ended(
        new JobEnd(
            state,
            state == State.COMPLETED ? 0 : 1,
            state == State.NEVER_STARTED ? Optional.empty() : Optional.of(job.start()),
            job.endsAt(),
            JobEnd.Source.EXIT_RECORD),
        job.nodes());
  }

  @Override
  public Optional<JobId> find(JobHandle intent) throws ClusterUnreachableException {
    answerOrNot();
    return jobs.entrySet().stream()
        .filter(e -> e.getValue().name().equals(intent.jobName()))
        .filter(e -> !e.getValue().end().equals(Optional.of(State.DUPLICATE)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public void cancel(JobId id) throws ClusterUnreachableException {
    answerOrNot();
    Job job = Objects.requireNonNull(jobs.get(id));
    Instant now = clock.instant();
    if (job.isLive(now)) {
      busyUntil = busyUntil.equals(job.endsAt()) ? now : busyUntil;
      Instant start = job.start().isAfter(now) ? now : job.start();
      jobs.put(id, new Job(job.name(), job.nodes(), start, now, Optional.of(State.CANCELLED)));
    }
  }

  @Override
  public List<Node> nodes(Collection<String> names) throws ClusterUnreachableException {
    answerOrNot();
    return names.stream()
        .map(n -> new Node(n, Node.Availability.IDLE, "idle", "", List.of("rough")))
        .toList();
  }

  @Override
  public String resumeNode(String name) throws ClusterUnreachableException {
    answerOrNot();
    return "";
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own) {
    return List.of();
  }

  @Override
  public String describe() {
    return "rough cluster";
  }

  private void answerOrNot() throws ClusterUnreachableException {
    Instant now = clock.instant();
    if (chance(0.02)) {
      awayUntil = now.plus(Duration.ofMinutes(random.nextInt(1, 40)));
    }
    if (now.isBefore(awayUntil) || chance(0.2)) {
      throw new ClusterUnreachableException("connection refused");
    }
  }

  private boolean chance(double weight) {
    return random.nextDouble() < roughness * weight;
  }
}
