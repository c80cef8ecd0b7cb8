package io.nightsweep.sim;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sim.Faults.Kind;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobEnd.State;
import io.nightsweep.sweep.JobId;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A cluster in virtual time, with one queue for the pinned nodes. */
public final class SimCluster implements Cluster {
  private static final int LONGEST_OUTAGE_MINUTES = 40;

  /** Half of the odd ends are plain failures, the others are equally likely. */
  private static final List<State> ODD_ENDS =
      List.of(
          State.FAILED,
          State.FAILED,
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

  private final VirtualClock clock;
  private final SplittableRandom random;
  private final Faults faults;
  private final Timing timing;
  private final Map<JobId, SimJob> jobs = new LinkedHashMap<>();
  private final Map<String, SimJob> byName = new HashMap<>();
  private final Map<Path, String> failureClasses = new HashMap<>();
  private final Set<Path> hung = new HashSet<>();
  private Consumer<Submission> onSubmit = s -> {};
  private Instant awayUntil = Instant.EPOCH;

  /**
   * A running or ended job as its workload sees it.
   *
   * @param work its duration if it runs to its end
   * @param standsStill the amount of work after which it hangs, if it does
   * @param before the profile of the job that used the nodes last
   */
  record JobLife(
      int steps,
      Instant start,
      Duration work,
      Instant end,
      Optional<Duration> standsStill,
      Optional<String> before) {}

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

  /** Registers a listener that is called for each accepted submission, before its job is queued. */
  void onSubmit(Consumer<Submission> listener) {
    onSubmit = listener;
  }

  @Override
  public JobId submit(Submission submission)
      throws ClusterUnreachableException, SubmissionRefusedException {
    answerOrNot();
    if (faults.strikes(Kind.REFUSED, random)) {
      throw new SubmissionRefusedException("simulated refusal");
    }
    onSubmit.accept(submission);
    JobId id = nextId();
    SimJob job = draw(submission).from(freeFrom());
    if (faults.strikes(Kind.JOB_IS_CLAIMED_TWICE, random)) {
      jobs.put(id, job.duplicate());
      put(nextId(), job);
    } else {
      put(id, job);
    }
    if (faults.strikes(Kind.ANSWER_LOST, random)) {
      throw new ClusterUnreachableException("simulated: the answer is lost");
    }
    return id;
  }

  private JobId nextId() {
    return new JobId(Integer.toString(1000 + jobs.size()));
  }

  private SimJob draw(Submission submission) {
    Duration delay = queued();
    Duration work = scaled(timing.draw(random), SimWorkload.share(submission));
    boolean flake = faults.strikes(Kind.JOB_FAILS, random);
    Optional<Response.Fails> always = SimWorkload.failure(submission);
    Path log = submission.files().log();
    always.ifPresent(f -> failureClasses.put(log, f.failureClass()));
    Duration length =
        flake ? work.dividedBy(2) : always.map(f -> scaled(work, f.afterFraction())).orElse(work);
    boolean vanishes = faults.strikes(Kind.JOB_VANISHES, random);
    State outcome = flake || always.isPresent() ? State.FAILED : State.COMPLETED;
    Optional<Duration> standsStill = Optional.empty();
    if (faults.strikes(Kind.JOB_HANGS, random)) {
      standsStill = Optional.of(scaled(work, random.nextDouble()));
      length = submission.timeLimit();
      outcome = State.TIME_LIMIT;
      hung.add(log);
    } else if (outcome == State.COMPLETED && faults.strikes(Kind.JOB_ENDS_ODDLY, random)) {
      outcome = ODD_ENDS.get(random.nextInt(ODD_ENDS.size()));
    }
    Instant now = clock.instant();
    return new SimJob(
        submission.jobName(),
        SimWorkload.profile(submission),
        SimWorkload.steps(submission),
        submission.nodes(),
        now,
        delay,
        length,
        work,
        standsStill,
        vanishes ? Optional.empty() : Optional.of(outcome),
        now,
        now);
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> handles)
      throws ClusterUnreachableException {
    answerOrNot();
    Map<JobHandle, JobStatus> statuses = new LinkedHashMap<>();
    for (JobHandle handle : handles) {
      handle.job().ifPresent(id -> statuses.put(handle, status(id)));
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
    if (job.isLive(now)) {
      return faults.strikes(Kind.JOB_IS_UNLISTED, random)
          ? new JobStatus.Unknown("not listed")
          : new JobStatus.Running(job.start(), job.nodes());
    }
    if (job.outcome().isEmpty()) {
      return new JobStatus.Unknown("gone");
    }
    State state = job.outcome().get();
    return new JobStatus.Ended(
        new JobEnd(
            state,
            state == State.COMPLETED ? 0 : 1,
            state == State.NEVER_STARTED ? Optional.empty() : Optional.of(job.start()),
            job.end(),
            JobEnd.Source.EXIT_RECORD),
        job.nodes());
  }

  @Override
  public Optional<JobId> find(JobHandle intent) throws ClusterUnreachableException {
    answerOrNot();
    return jobs.entrySet().stream()
        .filter(e -> e.getValue().name().equals(intent.jobName()))
        .filter(e -> !e.getValue().outcome().equals(Optional.of(State.DUPLICATE)))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public void cancel(JobHandle handle) throws ClusterUnreachableException {
    answerOrNot();
    JobId id = handle.job().orElseThrow();
    SimJob job = jobs.get(id);
    if (job != null && job.isLive(clock.instant())) {
      put(id, job.cancelledAt(clock.instant()));
      moveUp();
    }
  }

  /** When the last job of the queue ends. */
  private Instant freeFrom() {
    return jobs.values().stream()
        .filter(SimJob::heldNodes)
        .map(SimJob::end)
        .max(Instant::compareTo)
        .orElse(Instant.EPOCH);
  }

  /** Moves waiting jobs forward after one was cancelled. */
  private void moveUp() {
    Instant now = clock.instant();
    Instant free = Instant.EPOCH;
    for (Map.Entry<JobId, SimJob> e : jobs.entrySet()) {
      SimJob job = e.getValue();
      if (job.start().isAfter(now) && job.heldNodes()) {
        SimJob moved = job.from(free.isAfter(now) ? free : now);
        e.setValue(moved);
        byName.put(moved.name(), moved);
        job = moved;
      }
      if (job.heldNodes() && job.end().isAfter(free)) {
        free = job.end();
      }
    }
  }

  @Override
  public List<Node> nodes(Collection<String> names) throws ClusterUnreachableException {
    answerOrNot();
    return names.stream()
        .map(n -> new Node(n, Node.Availability.IDLE, "idle", "", List.of("sim")))
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
    return "simulated cluster";
  }

  /** The next moment at which a job starts or ends. */
  public Optional<Instant> nextChange() {
    Instant now = clock.instant();
    return jobs.values().stream()
        .flatMap(j -> Stream.of(j.start(), j.end()))
        .filter(t -> t.isAfter(now))
        .min(Instant::compareTo);
  }

  /** The number of jobs queued under each name; must never be more than one for an intent. */
  public Map<String, Long> jobsByName() {
    return jobs.values().stream()
        .collect(Collectors.groupingBy(SimJob::name, Collectors.counting()));
  }

  public int jobsQueued() {
    return jobs.size();
  }

  /** The time for which jobs held the nodes, failed and cancelled ones included. */
  public Duration busy() {
    return jobs.values().stream()
        .map(j -> Duration.between(j.start(), j.end()))
        .reduce(Duration.ZERO, Duration::plus);
  }

  Optional<JobLife> life(String jobName) {
    return Optional.ofNullable(byName.get(jobName)).map(this::life);
  }

  /** The job that holds the nodes now. */
  Optional<JobLife> running() {
    Instant now = clock.instant();
    return jobs.values().stream()
        .filter(j -> !now.isBefore(j.start()) && now.isBefore(j.end()))
        .findFirst()
        .map(this::life);
  }

  private JobLife life(SimJob job) {
    Optional<SimJob> before =
        jobs.values().stream()
            .filter(j -> j.heldNodes() && j.start().isBefore(job.start()))
            .max(Comparator.comparing(SimJob::start));
    return new JobLife(
        job.steps(),
        job.start(),
        job.work(),
        job.end(),
        job.standsStill(),
        before.flatMap(SimJob::profile));
  }

  /** Whether the job of this log hangs at some moment. */
  boolean hangs(Path log) {
    return hung.contains(log);
  }

  /** The number of waiting or running jobs of one name. */
  long live(String jobName) {
    return jobs.values().stream()
        .filter(j -> j.name().equals(jobName) && j.isLive(clock.instant()))
        .count();
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
    Instant now = clock.instant();
    if (faults.strikes(Kind.OUTAGE, random)) {
      awayUntil = now.plus(Duration.ofMinutes(random.nextInt(1, LONGEST_OUTAGE_MINUTES)));
    }
    if (faults.strikes(Kind.UNREACHABLE, random) || now.isBefore(awayUntil)) {
      throw new ClusterUnreachableException("simulated: connection refused");
    }
  }
}
