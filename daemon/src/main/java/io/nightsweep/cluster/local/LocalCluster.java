package io.nightsweep.cluster.local;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.ExitRecord;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobScript;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.Fact;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Runs jobs as processes of this machine. The queue is a directory of small files and survives the
 * daemon; so do the jobs, which run in sessions of their own.
 */
public final class LocalCluster implements Cluster {
  /** The fact for the number of CPUs that all virtual nodes share. */
  private static final String SHARED_CPUS = "shared CPUs";

  private final LocalQueue queue;
  private final List<String> nodes;

  /**
   * @param queue a directory on this machine's own disk
   * @param nodes names of the virtual nodes
   */
  public LocalCluster(Path queue, List<String> nodes) {
    this.queue = new LocalQueue(queue);
    this.nodes = List.copyOf(nodes);
  }

  /** Removes the queue's entries of ended jobs with files in the folder. */
  public static void forget(Path queue, Path folder)
      throws ClusterUnreachableException, InterruptedException {
    if (Files.isDirectory(queue)) {
      LocalQueue local = new LocalQueue(queue);
      Path files = folder.toAbsolutePath().normalize();
      local.look(
          jobs -> {
            for (LocalJob job : jobs) {
              boolean isIts =
                  job.files().directory().toAbsolutePath().normalize().startsWith(files);
              if (isIts && !job.isRunning() && !job.isWaiting()) {
                local.forget(job);
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
    return queue.look(
        jobs -> {
          JobScript.write(s, launcher(s));
          long id = 1 + jobs.stream().mapToLong(LocalJob::id).max().orElse(0);
          LocalJob job = LocalJob.queued(id, s);
          queue.add(jobs, job);
          return job.jobId();
        });
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> handles)
      throws ClusterUnreachableException, InterruptedException {
    return queue.look(
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
    return queue.look(
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
    queue.look(
        jobs -> {
          for (LocalJob job : jobs) {
            if (isOf(job, handle) && job.cancelledAt() == 0 && job.endedAt() == 0) {
              queue.cancel(job);
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
    return queue.look(
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
    return queue.look(
        jobs ->
            jobs.stream()
                .filter(j -> j.endedAt() == 0 && !own.contains(j.jobId()))
                .filter(j -> j.nodes().stream().anyMatch(nodeNames::contains))
                .map(j -> new ForeignJob(j.jobId(), j.user(), j.name()))
                .toList());
  }

  @Override
  public boolean nodesAreHosts() {
    return false;
  }

  /** The machine's CPUs; ranks are started whatever their number. */
  @Override
  public OptionalInt sharedCpus() {
    return OptionalInt.of(cpus());
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

  /**
   * The command that starts the ranks; empty for a single task, which needs no MPI launcher (the
   * machine may have none).
   */
  private static List<String> launcher(Submission s) {
    return s.tasks() == 1
        ? List.of()
        : List.of(
            "mpirun", "--allow-run-as-root", "--oversubscribe", "-np", Integer.toString(s.tasks()));
  }
}
