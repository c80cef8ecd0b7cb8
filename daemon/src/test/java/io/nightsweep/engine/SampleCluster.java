package io.nightsweep.engine;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.Submission;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.triage.Sample;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** One queue that starts and ends each job within a tick; hanging jobs run until cancelled. */
final class SampleCluster implements Cluster {
  private final Sample sample;
  private final String profile;
  private final int failures;
  private final int others;
  private final Optional<String> failingStep;
  private final InstantSource clock;
  private final Map<JobId, ScriptedJob> jobs = new LinkedHashMap<>();
  private final Map<JobId, Path> logs = new LinkedHashMap<>();
  private boolean resumed;
  private int submitted;
  private int ofProfile;
  private int goodBefore;
  private String lastWords = "";

  /**
   * @param profile the profile with the failing jobs
   * @param failures how many of its jobs fail before they measure
   * @param others jobs before the first that may fail
   * @param failingStep an action of the remedy that does not succeed
   */
  SampleCluster(
      Sample sample,
      String profile,
      int failures,
      int others,
      Optional<String> failingStep,
      InstantSource clock) {
    this.sample = sample;
    this.profile = profile;
    this.failures = failures;
    this.others = others;
    this.failingStep = failingStep;
    this.clock = clock;
  }

  /** Lets this many jobs of the profile measure before the others fail. */
  void failAfter(int good) {
    goodBefore = good;
  }

  /** The lines that a cancelled job's ranks write into its log before they end. */
  void onCancel(String lines) {
    lastWords = lines;
  }

  /** Submitted jobs of the profile that were meant to fail. */
  int submitted() {
    return submitted;
  }

  private record ScriptedJob(String name, boolean fails, Instant start, boolean cancelled) {}

  boolean fails(String attempt) {
    return jobs.values().stream().anyMatch(j -> j.fails() && j.name().endsWith("-" + attempt));
  }

  @Override
  public JobId submit(Submission s) {
    boolean fails =
        s.comment().equals(profile)
            && jobs.size() >= others
            && ++ofProfile > goodBefore
            && ++submitted <= failures;
    JobId id = new JobId(Integer.toString(100 + jobs.size()));
    jobs.put(id, new ScriptedJob(s.jobName(), fails, clock.instant(), false));
    logs.put(id, s.files().log());
    try {
      Files.createDirectories(s.files().directory());
      if (fails && !sample.log().isEmpty()) {
        Files.writeString(s.files().log(), sample.log());
      }
      if (fails && sample.leastBytes() > 0) {
        try (RandomAccessFile file = new RandomAccessFile(s.files().log().toFile(), "rw")) {
          file.setLength(Math.max(file.length(), sample.leastBytes()));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return id;
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> handles) {
    Map<JobHandle, JobStatus> statuses = new LinkedHashMap<>();
    handles.forEach(
        h ->
            h.job().ifPresent(id -> statuses.put(h, status(Objects.requireNonNull(jobs.get(id))))));
    return statuses;
  }

  private JobStatus status(ScriptedJob job) {
    if (!job.fails()) {
      return ended(job, JobEnd.State.COMPLETED, 0);
    }
    if (sample.end().isPresent()) {
      return ended(job, sample.end().get().state(), sample.end().get().exitCode());
    }
    return job.cancelled()
        ? ended(job, JobEnd.State.CANCELLED, 143)
        : new JobStatus.Running(job.start(), List.of(SampleNight.NODE));
  }

  private JobStatus ended(ScriptedJob job, JobEnd.State state, int exitCode) {
    return new JobStatus.Ended(
        new JobEnd(
            state,
            exitCode,
            state == JobEnd.State.NEVER_STARTED ? Optional.empty() : Optional.of(job.start()),
            clock.instant(),
            JobEnd.Source.ACCOUNTING),
        List.of(SampleNight.NODE));
  }

  @Override
  public Optional<JobId> find(JobHandle intent) {
    return jobs.entrySet().stream()
        .filter(e -> e.getValue().name().equals(intent.jobName()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  @Override
  public void cancel(JobHandle handle) {
    JobId id = handle.job().orElseThrow();
    sayLastWords(id);
    jobs.computeIfPresent(
        id, (key, job) -> new ScriptedJob(job.name(), job.fails(), job.start(), true));
  }

  private void sayLastWords(JobId id) {
    ScriptedJob job = Objects.requireNonNull(jobs.get(id));
    if (!lastWords.isEmpty() && job.fails()) {
      try {
        Files.writeString(
            Objects.requireNonNull(logs.get(id)), lastWords, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public List<Node> nodes(Collection<String> names) throws ClusterUnreachableException {
    // Remedies query from separate threads.
    boolean ofARemedy = Thread.currentThread().isVirtual();
    if (ofARemedy
        && (failingStep.filter("wait-for-controller"::equals).isPresent()
            || failingStep.filter("read-node-reason"::equals).isPresent())) {
      throw new ClusterUnreachableException("connection refused");
    }
    boolean away =
        sample.expected().startsWith("node-")
            && submitted > 0
            && (!resumed || failingStep.filter("resume-node"::equals).isPresent());
    String state = failingStep.filter("wait-for-nodes"::equals).isPresent() ? "down*" : "drained";
    return List.of(
        new Node(
            SampleNight.NODE,
            away ? Node.Availability.UNUSABLE : Node.Availability.IDLE,
            away ? state : "idle",
            away ? "Kill task failed" : "",
            List.of("batch")));
  }

  @Override
  public String resumeNode(String name) {
    resumed = true;
    return "";
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own) {
    return List.of();
  }

  @Override
  public String describe() {
    return "scripted";
  }
}
