package io.nightsweep.sim;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A cluster of which one queue serves the pinned nodes, in virtual time. */
public final class SimCluster implements Cluster {
  private final VirtualClock clock;
  private final SplittableRandom random;
  private final Faults faults;
  private final Timing timing;
  private final Map<JobId, SimJob> jobs = new LinkedHashMap<>();
  private final Map<String, SimJob> byName = new HashMap<>();
  private final Map<Path, String> failureClasses = new HashMap<>();
  private int queries;

  /**
   * @param profile that the job runs; empty where its launch names none
   * @param queued since when it is in the queue
   * @param delay that it waits for nodes which are free
   * @param length of it on the nodes
   * @param failed by a curable flake, or because its profile always does
   */
  private record SimJob(
      String name,
      Optional<String> profile,
      Instant queued,
      Duration delay,
      Duration length,
      Instant start,
      Instant end,
      boolean failed,
      boolean vanished,
      boolean cancelled) {
    SimJob cancelledAt(Instant now) {
      Instant ended = start.isAfter(now) ? start : now;
      return new SimJob(name, profile, queued, delay, length, start, ended, failed, vanished, true);
    }

    /** The same once the nodes are free from a moment on. */
    SimJob from(Instant free) {
      Instant begun = (free.isAfter(queued) ? free : queued).plus(delay);
      return new SimJob(
          name,
          profile,
          queued,
          delay,
          length,
          begun,
          begun.plus(length),
          failed,
          vanished,
          cancelled);
    }
  }

  /**
   * A running or ended job, as its workload sees it.
   *
   * @param before the profile of the job that held the nodes last
   */
  record Life(Instant start, Instant end, Optional<String> before) {}

  public SimCluster(
      VirtualClock clock, SplittableRandom random, Faults faults, Duration typicalJob) {
    this(clock, random, faults, Timing.of(typicalJob));
  }

  public SimCluster(VirtualClock clock, SplittableRandom random, Faults faults, Timing timing) {
    this.clock = clock;
    this.random = random;
    this.faults = faults;
    this.timing = timing;
  }

  @Override
  public JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException {
    answerOrNot();
    if (random.nextDouble() < faults.refused()) {
      throw new SubmissionRefusedException("simulated refusal");
    }
    JobId id = new JobId(Integer.toString(1000 + jobs.size()));
    Duration delay = queued();
    Duration elapsed = scaled(timing.draw(random), SimWorkload.share(submission));
    boolean flake = random.nextDouble() < faults.jobFails();
    Optional<Response.Fails> always = SimWorkload.failure(submission);
    always.ifPresent(f -> failureClasses.put(submission.files().log(), f.failureClass()));
    Duration until =
        flake
            ? elapsed.dividedBy(2)
            : always.map(f -> scaled(elapsed, f.afterFraction())).orElse(elapsed);
    boolean vanishes = random.nextDouble() < faults.jobVanishes();
    boolean failed = flake || always.isPresent();
    Instant now = clock.instant();
    put(
        id,
        new SimJob(
                submission.jobName(),
                SimWorkload.profile(submission),
                now,
                delay,
                until,
                now,
                now,
                failed,
                vanishes,
                false)
            .from(freeFrom()));
    if (random.nextDouble() < faults.answerLost()) {
      throw new ClusterUnreachableException("simulated: the answer is lost");
    }
    return id;
  }

  @Override
  public Map<JobId, JobStatus> observe(Collection<JobHandle> handles)
      throws ClusterUnreachableException {
    queries++;
    answerOrNot();
    Map<JobId, JobStatus> statuses = new LinkedHashMap<>();
    for (JobHandle handle : handles) {
      handle.job().ifPresent(id -> statuses.put(id, status(id)));
    }
    return statuses;
  }

  private JobStatus status(JobId id) {
    SimJob job = jobs.get(id);
    if (job == null) {
      return new JobStatus.Unknown("never heard of it");
    }
    Instant now = clock.instant();
    if (now.isBefore(job.start())) {
      return new JobStatus.Pending("Resources", false);
    }
    if (now.isBefore(job.end())) {
      return new JobStatus.Running(job.start(), List.of("sim"));
    }
    if (job.vanished()) {
      return new JobStatus.Unknown("gone");
    }
    JobEnd.State state =
        job.cancelled()
            ? JobEnd.State.CANCELLED
            : job.failed() ? JobEnd.State.FAILED : JobEnd.State.COMPLETED;
    return new JobStatus.Ended(
        new JobEnd(
            state,
            state == JobEnd.State.COMPLETED ? 0 : 1,
            Optional.of(job.start()),
            job.end(),
            JobEnd.Source.EXIT_RECORD),
        List.of("sim"));
  }

  @Override
  public Optional<JobId> find(JobHandle intent) throws ClusterUnreachableException {
    answerOrNot();
    return jobs.entrySet().stream()
        .filter(e -> e.getValue().name().equals(intent.jobName()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public void cancel(JobId id) throws ClusterUnreachableException {
    answerOrNot();
    SimJob job = jobs.get(id);
    if (job != null && clock.instant().isBefore(job.end())) {
      put(id, job.cancelledAt(clock.instant()));
      moveUp();
    }
  }

  /** When the last job of the queue ends. */
  private Instant freeFrom() {
    return jobs.values().stream()
        .filter(SimCluster::heldNodes)
        .map(SimJob::end)
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  /** Jobs that wait take the place of one that was cancelled. */
  private void moveUp() {
    Instant now = clock.instant();
    Instant free = Instant.EPOCH;
    for (Map.Entry<JobId, SimJob> e : jobs.entrySet()) {
      SimJob job = e.getValue();
      if (job.start().isAfter(now) && !job.cancelled()) {
        SimJob moved = job.from(free.isAfter(now) ? free : now);
        e.setValue(moved);
        byName.put(moved.name(), moved);
        job = moved;
      }
      if (heldNodes(job) && job.end().isAfter(free)) {
        free = job.end();
      }
    }
  }

  /** Whether the job ran, or will: one that was cancelled while it waited never did. */
  private static boolean heldNodes(SimJob job) {
    return job.end().isAfter(job.start());
  }

  @Override
  public List<Node> nodes(Collection<String> names) throws ClusterUnreachableException {
    answerOrNot();
    return names.stream()
        .map(n -> new Node(n, Node.Availability.IDLE, "idle", "", List.of("sim")))
        .toList();
  }

  @Override
  public String resumeNode(String name) {
    return "";
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own) {
    return List.of();
  }

  @Override
  public String describe() {
    return "simulated cluster";
  }

  /** The next moment at which a job starts or ends. */
  public Optional<Instant> nextChange() {
    Instant now = clock.instant();
    return jobs.values().stream()
        .flatMap(j -> java.util.stream.Stream.of(j.start(), j.end()))
        .filter(t -> t.isAfter(now))
        .min(Instant::compareTo);
  }

  /** Jobs queued under one name; never more than one for an intent. */
  public Map<String, Long> jobsByName() {
    return jobs.values().stream()
        .collect(
            java.util.stream.Collectors.groupingBy(
                SimJob::name, java.util.stream.Collectors.counting()));
  }

  public int queries() {
    return queries;
  }

  public int jobsQueued() {
    return jobs.size();
  }

  /** Time that the nodes were held by jobs, failed and cancelled ones included. */
  public Duration busy() {
    return jobs.values().stream()
        .map(j -> Duration.between(j.start(), j.end()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  Optional<Life> life(String jobName) {
    return Optional.ofNullable(byName.get(jobName)).map(this::life);
  }

  /** The job that holds the nodes now. */
  Optional<Life> running() {
    Instant now = clock.instant();
    return jobs.values().stream()
        .filter(j -> !now.isBefore(j.start()) && now.isBefore(j.end()))
        .findFirst()
        .map(this::life);
  }

  private Life life(SimJob job) {
    Optional<SimJob> before =
        jobs.values().stream()
            .filter(j -> heldNodes(j) && j.start().isBefore(job.start()))
            .max(Comparator.comparing(SimJob::start));
    return new Life(job.start(), job.end(), before.flatMap(SimJob::profile));
  }

  /** Why the job of this log always fails. */
  Optional<String> failureClass(Path log) {
    return Optional.ofNullable(failureClasses.get(log));
  }

  Instant now() {
    return clock.instant();
  }

  private void put(JobId id, SimJob job) {
    jobs.put(id, job);
    byName.put(job.name(), job);
  }

  private Duration queued() {
    return timing.queueDelay().isZero()
        ? Duration.ZERO
        : scaled(timing.queueDelay(), -Math.log(1 - random.nextDouble()));
  }

  private static Duration scaled(Duration duration, double factor) {
    return Duration.ofMillis((long) (duration.toMillis() * factor));
  }

  private void answerOrNot() throws ClusterUnreachableException {
    if (random.nextDouble() < faults.unreachable()) {
      throw new ClusterUnreachableException("simulated: connection refused");
    }
  }
}
