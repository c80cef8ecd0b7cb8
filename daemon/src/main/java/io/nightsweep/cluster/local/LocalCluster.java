package io.nightsweep.cluster.local;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.ExitRecord;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobScript;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.files.BoundedLock;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.OwnFile;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs jobs as processes of this machine, first come first served; a job waits until all its
 * virtual nodes are free. The queue is a directory of small files, so that it outlives the daemon;
 * jobs run in sessions of their own and outlive it too. Every look at the queue moves it on.
 */
public final class LocalCluster implements Cluster {
  private static final Logger log = LoggerFactory.getLogger(LocalCluster.class);
  private static final Duration LOCK_PATIENCE = Duration.ofSeconds(10);
  private static final int MOST_JOB_BYTES = 1 << 20;

  /** Between asking a job to end and making it end, as Slurm's KillWait. */
  private static final Duration KILL_WAIT = Duration.ofSeconds(3);

  /** The fact that tells how many CPUs all virtual nodes share. */
  private static final String SHARED_CPUS = "shared CPUs";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Path queue;
  private final List<String> nodes;

  /**
   * @param queue a directory of this machine's own disk
   * @param nodes names of the virtual nodes
   */
  public LocalCluster(Path queue, List<String> nodes) {
    this.queue = queue;
    this.nodes = List.copyOf(nodes);
  }

  /** Something that is done while nobody else touches the queue. */
  private interface Locked<T> {
    T run(List<LocalJob> jobs) throws IOException, InterruptedException;
  }

  /** Removes what the queue keeps of jobs that have ended and had their files in the folder. */
  public static void forget(Path queue, Path folder)
      throws ClusterUnreachableException, InterruptedException {
    if (Files.isDirectory(queue)) {
      LocalCluster cluster = new LocalCluster(queue, List.of());
      Path files = folder.toAbsolutePath().normalize();
      cluster.locked(
          jobs -> {
            for (LocalJob job : jobs) {
              boolean isIts =
                  job.files().directory().toAbsolutePath().normalize().startsWith(files);
              if (isIts && !job.isRunning() && !job.isWaiting()) {
                Files.deleteIfExists(cluster.entry(job));
              }
            }
            return jobs;
          });
    }
  }

  @Override
  public JobId submit(Submission s)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    List<String> unknown = s.nodes().stream().filter(n -> !nodes.contains(n)).toList();
    if (!unknown.isEmpty()) {
      throw new SubmissionRefusedException(
          "invalid node name "
              + String.join(", ", unknown)
              + "; there are "
              + String.join(", ", nodes));
    }
    return locked(
        jobs -> {
          JobScript.write(s, launcher(s));
          long id = 1 + jobs.stream().mapToLong(LocalJob::id).max().orElse(0);
          LocalJob job =
              new LocalJob(
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
          write(job);
          List<LocalJob> all = new ArrayList<>(jobs);
          all.add(job);
          startWhatCan(all);
          return job.jobId();
        });
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> handles)
      throws ClusterUnreachableException, InterruptedException {
    return locked(
        jobs -> {
          Map<JobHandle, JobStatus> statuses = new LinkedHashMap<>();
          for (JobHandle handle : handles) {
            statuses.put(
                handle,
                jobs.stream()
                    .filter(j -> isOf(j, handle))
                    .findFirst()
                    .map(LocalCluster::status)
                    .orElse(new JobStatus.Unknown("not in the queue's directory")));
          }
          return statuses;
        });
  }

  @Override
  public Optional<JobId> find(JobHandle intent)
      throws ClusterUnreachableException, InterruptedException {
    Optional<JobId> claimant = ExitRecord.claimant(intent.files());
    return locked(
        jobs -> {
          List<JobId> named =
              jobs.stream()
                  .filter(j -> j.name().equals(intent.jobName()))
                  .map(LocalJob::jobId)
                  .toList();
          return claimant.filter(named::contains).or(() -> named.stream().findFirst());
        });
  }

  @Override
  public void cancel(JobHandle handle) throws ClusterUnreachableException, InterruptedException {
    locked(
        jobs -> {
          for (LocalJob job : jobs) {
            if (isOf(job, handle) && job.cancelledAt() == 0 && job.endedAt() == 0) {
              LocalJob cancelled = job.cancelled(System.currentTimeMillis());
              write(job.isWaiting() ? cancelled.ended(cancelled.cancelledAt()) : cancelled);
              OwnProcess.signal(cancelled, "TERM");
            }
          }
          return handle;
        });
  }

  private static boolean isOf(LocalJob job, JobHandle handle) {
    return handle.job().equals(Optional.of(job.jobId())) && job.name().equals(handle.jobName());
  }

  @Override
  public List<Node> nodes(Collection<String> names)
      throws ClusterUnreachableException, InterruptedException {
    return locked(
        jobs ->
            nodes.stream()
                .filter(n -> names.isEmpty() || names.contains(n))
                .map(
                    n -> {
                      boolean busy =
                          jobs.stream().anyMatch(j -> j.isRunning() && j.nodes().contains(n));
                      return new Node(
                          n,
                          busy ? Node.Availability.BUSY : Node.Availability.IDLE,
                          busy ? "allocated" : "idle",
                          "",
                          List.of("local*"));
                    })
                .toList());
  }

  @Override
  public String resumeNode(String name) {
    return "";
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own)
      throws ClusterUnreachableException, InterruptedException {
    return locked(
        jobs ->
            jobs.stream()
                .filter(j -> j.endedAt() == 0 && !own.contains(j.jobId()))
                .filter(j -> j.nodes().stream().anyMatch(nodeNames::contains))
                .map(
                    j ->
                        new ForeignJob(
                            j.jobId(),
                            j.user(),
                            j.name(),
                            j.isRunning() ? "RUNNING" : "PENDING",
                            j.nodes()))
                .toList());
  }

  @Override
  public boolean nodesAreHosts() {
    return false;
  }

  /** Ranks are started whatever their number. */
  @Override
  public OptionalInt sharedCpus() {
    return OptionalInt.of(Runtime.getRuntime().availableProcessors());
  }

  @Override
  public List<Fact> hardware() {
    List<Fact> facts = new ArrayList<>(Machine.facts(Path.of("/proc"), cpus()));
    facts.add(new Fact(SHARED_CPUS, Integer.toString(cpus()), true));
    return facts;
  }

  private static int cpus() {
    return Runtime.getRuntime().availableProcessors();
  }

  @Override
  public String describe() {
    return "local processes on %d virtual nodes, which share this machine's CPUs (%d)"
        .formatted(nodes.size(), cpus());
  }

  private <T> T locked(Locked<T> action) throws ClusterUnreachableException, InterruptedException {
    // One lock of the JVM around one of the machine: file locks are held by whole processes.
    synchronized (LocalCluster.class) {
      try {
        OwnFile.folder(queue);
        BoundedLock lock = BoundedLock.acquire(queue.resolve("lock"), LOCK_PATIENCE);
        try {
          return action.run(moveOn(read()));
        } finally {
          lock.close();
        }
      } catch (IOException e) {
        throw new ClusterUnreachableException(
            "the queue in " + queue + " cannot be used: " + e.getMessage(), e);
      }
    }
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
        write(next);
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
    if (!hasItsFolder(job)) {
      // It ends, rather than hold up all that wait behind it.
      log.warn("job {} cannot start, since {} is not as it was", job.id(), job.directory());
      LocalJob ended = job.ended(System.currentTimeMillis());
      write(ended);
      return ended;
    }
    long pid = hasItsClaim(job) ? OwnProcess.leader(job.files().script()) : run(job);
    LocalJob started = job.started(pid, OwnProcess.birth(pid), System.currentTimeMillis());
    write(started);
    return started;
  }

  /** Whether a daemon started the job, and was killed before it could write that down. */
  private static boolean hasItsClaim(LocalJob job) {
    return ExitRecord.claimant(job.files()).filter(job.jobId()::equals).isPresent();
  }

  private static long run(LocalJob job) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("setsid", "/bin/bash", job.files().script().toString());
    Map<String, String> inherited = Map.copyOf(builder.environment());
    builder.environment().clear();
    for (String name : List.of("PATH", "HOME", "USER")) {
      Optional.ofNullable(inherited.get(name))
          .ifPresent(value -> builder.environment().put(name, value));
    }
    builder.environment().put("NIGHTSWEEP_JOB_ID", Long.toString(job.id()));
    builder
        .directory(job.files().directory().toFile())
        .redirectErrorStream(true)
        .redirectInput(Path.of("/dev/null").toFile())
        .redirectOutput(ProcessBuilder.Redirect.appendTo(job.files().log().toFile()));
    // A child of a JVM leads no process group, so setsid does not fork: the pid stays.
    return builder.start().pid();
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

  private static JobStatus status(LocalJob job) {
    if (job.isWaiting()) {
      return new JobStatus.Pending("Resources", false);
    }
    if (job.isRunning()) {
      return new JobStatus.Running(job.start().orElseThrow(), job.nodes());
    }
    Optional<ExitRecord> duplicate = ExitRecord.readDuplicate(job.files(), job.jobId());
    if (duplicate.isPresent()) {
      return new JobStatus.Ended(duplicate.get().end(JobEnd.State.DUPLICATE), List.of());
    }
    Optional<ExitRecord> record =
        ExitRecord.read(job.files()).filter(r -> r.job().equals(job.jobId().value()));
    boolean clean = record.filter(r -> r.exitCode() == 0 && r.signal() == 0).isPresent();
    JobEnd.State state =
        clean
            ? JobEnd.State.COMPLETED
            : job.overtimeAt() > 0
                ? JobEnd.State.TIME_LIMIT
                : job.cancelledAt() > 0
                    ? JobEnd.State.CANCELLED
                    : record.isPresent()
                        ? JobEnd.State.FAILED
                        : job.start().isPresent()
                            ? JobEnd.State.VANISHED
                            : JobEnd.State.NEVER_STARTED;
    return new JobStatus.Ended(
        record
            .map(r -> r.end(state))
            .orElseGet(
                () ->
                    new JobEnd(
                        state,
                        0,
                        job.start(),
                        Instant.ofEpochMilli(job.endedAt()),
                        JobEnd.Source.CONTROLLER)),
        job.nodes());
  }

  /** One task needs no MPI launcher, which the machine may lack. */
  private static List<String> launcher(Submission s) {
    return s.tasks() == 1
        ? List.of()
        : List.of(
            "mpirun", "--allow-run-as-root", "--oversubscribe", "-np", Integer.toString(s.tasks()));
  }

  private List<LocalJob> read() throws IOException, InterruptedException {
    try (Stream<Path> files = Files.list(queue)) {
      List<LocalJob> jobs = new ArrayList<>();
      for (Path file : files.filter(f -> f.getFileName().toString().endsWith(".json")).toList()) {
        try {
          jobs.add(MAPPER.readValue(ForeignFile.read(file, MOST_JOB_BYTES), LocalJob.class));
        } catch (ClosedByInterruptException e) {
          // The entry is whole: its reader was told to end.
          Thread.interrupted();
          throw (InterruptedException) new InterruptedException().initCause(e);
        } catch (IOException e) {
          // One job's entry that nobody can read must not hide all other jobs.
          log.warn("{} is put aside, since it cannot be read: {}", file, e.getMessage());
          Files.move(file, file.resolveSibling(file.getFileName() + ".unreadable"));
        }
      }
      jobs.sort(Comparator.comparingLong(LocalJob::id));
      return jobs;
    }
  }

  private void write(LocalJob job) throws IOException {
    OwnFile.write(entry(job), MAPPER.writeValueAsBytes(job));
  }

  private Path entry(LocalJob job) {
    return queue.resolve(job.id() + ".json");
  }
}
