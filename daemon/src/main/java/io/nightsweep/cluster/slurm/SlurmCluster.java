package io.nightsweep.cluster.slurm;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.ExitRecord;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobScript;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.cluster.LauncherSubmission;
import io.nightsweep.cluster.Submission;
import io.nightsweep.cluster.SubmissionRefusedException;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Slurm through its commands: {@code sbatch squeue scontrol sacct scancel sinfo}. */
public final class SlurmCluster implements Cluster {
  /**
   * Runs {@code sbatch}, on whatever machine, with little more than {@code PATH}, {@code HOME} and
   * {@code USER}, so that a job gets no secret of the daemon's environment. With {@code
   * --export=PATH,HOME,USER} Slurm would run the user's login files before each job, and wait for
   * them up to a second longer than they take; the job reads them itself ({@code
   * templates/jobs/login.sh}). The other variables are for {@code sbatch} and its plugins.
   */
  private static final String SBATCH =
      "for name in $(compgen -e); do"
          + " [[ $name =~ ^(PATH|HOME|USER|S(LURM|BATCH)_.*|LD_LIBRARY_PATH|KRB5CCNAME)$ ]]"
          + " || unset \"$name\"; done; unset -f $(compgen -A function);"
          + " exec sbatch --export=ALL \"$@\"";

  private static final Duration SUBMISSION = Duration.ofSeconds(60);

  private final CommandRunner runner;
  private final InstantSource clock;
  private final SlurmQueries queries;

  /**
   * @param runner with {@code SLURM_TIME_FORMAT=%s} in its environment; {@link #environment}
   */
  public SlurmCluster(CommandRunner runner, InstantSource clock) {
    this.runner = runner;
    this.clock = clock;
    this.queries = new SlurmQueries(runner, clock);
  }

  /** The environment in which Slurm's commands print times that can be parsed. */
  public static Map<String, String> environment(Optional<String> slurmConf) {
    Map<String, String> environment = new HashMap<>(Map.of("SLURM_TIME_FORMAT", "%s"));
    slurmConf.ifPresent(path -> environment.put("SLURM_CONF", path));
    return environment;
  }

  /** How many commands have queried the controller or the accounting so far. */
  public long queries() {
    return queries.count();
  }

  @Override
  public JobId submit(Submission s)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    try {
      JobScript.write(s, launcher(s));
    } catch (IOException e) {
      throw new SubmissionRefusedException("the job's files cannot be written: " + e.getMessage());
    }
    List<String> arguments = new ArrayList<>(List.of("bash", "-c", SBATCH, "sbatch"));
    arguments.addAll(List.of("--parsable", "--no-requeue"));
    arguments.add("--job-name=" + s.jobName());
    arguments.add("--comment=" + s.jobName() + " " + s.comment());
    arguments.add("--nodelist=" + String.join(",", s.nodes()));
    arguments.add("--nodes=" + s.nodes().size());
    // Jobs request whole nodes with all CPUs, even on a shared partition: a time measured beside
    // another job would be meaningless.
    arguments.add("--exclusive");
    // With these options Slurm refuses what a node cannot hold, instead of sharing CPUs.
    arguments.add("--ntasks-per-node=" + Math.ceilDiv(Math.max(1, s.tasks()), s.nodes().size()));
    arguments.addAll(s.perTask().slurmOptions());
    arguments.add("--time=" + Math.max(1, Math.ceilDiv(s.timeLimit().toSeconds(), 60)));
    arguments.add("--output=" + s.files().log().toString().replace("%", "%%"));
    arguments.add("--open-mode=append");
    arguments.add("--chdir=" + s.files().directory());
    s.partition().ifPresent(p -> arguments.add("--partition=" + p));
    arguments.add(s.files().script().toString());
    CommandRunner.Output output = runner.run(arguments, SUBMISSION);
    if (!output.succeeded()) {
      String error = SlurmQueries.firstLine(output.stderr());
      if (SlurmQueries.isNoAnswer(output.stderr())) {
        throw new ClusterUnreachableException(error);
      }
      throw new SubmissionRefusedException(error);
    }
    String id = output.stdout().strip().split(";", 2)[0];
    if (!id.matches("\\d+")) {
      throw new ClusterUnreachableException("sbatch answered '" + id + "' instead of a job id");
    }
    return new JobId(id);
  }

  @Override
  public JobId submit(LauncherSubmission s)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    try {
      JobScript.write(s);
    } catch (IOException e) {
      throw new SubmissionRefusedException("the job's files cannot be written: " + e.getMessage());
    }
    CommandRunner.Output output =
        runner.run(List.of("bash", s.files().launcher().toString()), s.patience());
    Optional<JobId> named = SlurmOutput.submitted(output.stdout());
    if (output.succeeded()) {
      return named.orElseThrow(
          () -> new ClusterUnreachableException("the launcher succeeded and named no job"));
    }
    if (named.isPresent()) {
      return survivor(named.get(), output);
    }
    if (SlurmQueries.isNoAnswer(output.stdout() + output.stderr())) {
      throw new ClusterUnreachableException(lastError(output));
    }
    throw new SubmissionRefusedException(lastError(output));
  }

  /** The job of a launcher that named it and then failed, if Slurm says that it lives. */
  private JobId survivor(JobId job, CommandRunner.Output output)
      throws ClusterUnreachableException, SubmissionRefusedException, InterruptedException {
    boolean lives =
        queries.squeue(List.of("--me", "--states=all")).stream()
            .map(SlurmOutput.Queued::job)
            .anyMatch(j -> j.id().equals(job) && live(j).isPresent());
    if (lives) {
      return job;
    }
    throw new SubmissionRefusedException("job " + job + ": " + lastError(output));
  }

  @Override
  public Map<JobHandle, JobStatus> observe(Collection<JobHandle> jobs)
      throws ClusterUnreachableException, InterruptedException {
    List<SlurmOutput.Queued> queue = queries.squeue(List.of("--me", "--states=all"));
    Map<JobHandle, JobStatus> statuses = new LinkedHashMap<>();
    List<JobHandle> toLookUp = new ArrayList<>();
    for (JobHandle handle : jobs) {
      if (handle.job().isEmpty()) {
        continue;
      }
      JobId id = handle.job().get();
      Optional<SlurmJob> job =
          queue.stream()
              .filter(q -> isOf(handle, q.job(), q.comment()))
              .map(SlurmOutput.Queued::job)
              .findFirst();
      Optional<JobStatus> live = job.flatMap(this::live);
      Optional<JobStatus> known =
          live.isPresent() ? live : ended(handle, id, job, JobEnd.Source.QUEUE);
      if (known.isPresent()) {
        statuses.put(handle, known.get());
      } else {
        toLookUp.add(handle);
      }
    }
    if (!toLookUp.isEmpty()) {
      lookUp(toLookUp, statuses);
    }
    return statuses;
  }

  /**
   * Finds an intent's job. Queue and accounting are queried for this user's jobs only. A claim,
   * which any job of this user may write, only chooses among jobs with the intent's name and, where
   * there are comments, its comment. Alone it counts only where Slurm has no accounting and has
   * forgotten the job.
   */
  @Override
  public Optional<JobId> find(JobHandle intent)
      throws ClusterUnreachableException, InterruptedException {
    // A launcher chooses its own job names, so one query fetches all of the user's jobs.
    List<SlurmOutput.Queued> queue = queries.squeue(List.of("--me", "--states=all"));
    Optional<JobId> claimant = ExitRecord.claimant(intent.files());
    Optional<JobId> queued =
        chosen(
            queue.stream().filter(q -> intent.isOf(q.job().name(), q.comment())).toList(),
            q -> q.job().id(),
            q -> intent.isWhollyOf(q.job().name(), q.comment()),
            claimant);
    if (queued.isPresent()) {
      return queued;
    }
    if (queries.hasAccounting()) {
      return chosen(
          queries.sacct(intent.intendedAt(), List.of()).stream()
              .filter(b -> intent.isOf(b.job().name(), b.comment()))
              .toList(),
          b -> b.job().id(),
          b -> intent.isWhollyOf(b.job().name(), b.comment()),
          claimant);
    }
    return claimant.filter(id -> queue.stream().noneMatch(q -> q.job().id().equals(id)));
  }

  /**
   * Chooses among the jobs with the intent's name and comment; if there are none, for instance
   * since a plugin of the cluster rewrites comments, among all. The claimant is preferred, else the
   * first one.
   */
  private static <T> Optional<JobId> chosen(
      List<T> jobs, Function<T, JobId> id, Predicate<T> isWhollyOf, Optional<JobId> claimant) {
    List<JobId> whole = jobs.stream().filter(isWhollyOf).map(id).toList();
    List<JobId> among = whole.isEmpty() ? jobs.stream().map(id).toList() : whole;
    return claimant.filter(among::contains).or(() -> among.stream().findFirst());
  }

  @Override
  public void cancel(JobHandle handle) throws ClusterUnreachableException, InterruptedException {
    if (queries.squeue(List.of("--me", "--states=all")).stream()
        .noneMatch(q -> isOf(handle, q.job(), q.comment()))) {
      return;
    }
    CommandRunner.Output output =
        queries.run(List.of("scancel", handle.job().orElseThrow().value()));
    if (!output.succeeded() && SlurmQueries.isNoAnswer(output.stderr())) {
      throw new ClusterUnreachableException(SlurmQueries.firstLine(output.stderr()));
    }
  }

  @Override
  public List<Node> nodes(Collection<String> names)
      throws ClusterUnreachableException, InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of("sinfo", "--noheader", "--Node", "--format=" + SlurmOutput.SINFO_FORMAT));
    if (!names.isEmpty()) {
      arguments.add("--nodes=" + String.join(",", names));
    }
    return SlurmOutput.sinfo(queries.answer(arguments));
  }

  /** Uses {@code scontrol update}, as in the procedure's playbook. */
  @Override
  public String resumeNode(String name) throws ClusterUnreachableException, InterruptedException {
    CommandRunner.Output output =
        queries.run(
            List.of("scontrol", "update", "NodeName=" + name, "State=RESUME", "Reason=nightsweep"));
    if (!output.succeeded() && SlurmQueries.isNoAnswer(output.stderr())) {
      throw new ClusterUnreachableException(SlurmQueries.firstLine(output.stderr()));
    }
    return (output.stdout() + output.stderr()).strip();
  }

  @Override
  public List<ForeignJob> foreignJobs(Collection<String> nodeNames, Collection<JobId> own)
      throws ClusterUnreachableException, InterruptedException {
    Set<JobId> ours = new HashSet<>(own);
    return queries.squeue(List.of()).stream()
        .filter(q -> !ours.contains(q.job().id()))
        .filter(q -> q.job().nodes().stream().anyMatch(nodeNames::contains))
        .map(q -> new ForeignJob(q.job().id(), q.user(), q.job().name()))
        .toList();
  }

  @Override
  public String describe() throws ClusterUnreachableException, InterruptedException {
    return queries.answer(List.of("sinfo", "--version")).strip();
  }

  private static List<String> launcher(Submission s) {
    List<String> srun = new ArrayList<>(List.of("srun", "--mpi=pmix"));
    srun.add("--nodes=" + s.nodes().size());
    srun.add("--ntasks=" + s.tasks());
    srun.addAll(s.perTask().slurmOptions());
    srun.add("--kill-on-bad-exit=1");
    return srun;
  }

  /**
   * Whether the job is the handle's. The id alone does not suffice: a controller that was killed
   * before it saved its state has lost its latest jobs and reuses their ids.
   */
  private static boolean isOf(JobHandle handle, SlurmJob job, String comment) {
    return handle.job().equals(Optional.of(job.id())) && handle.isOf(job.name(), comment);
  }

  private Optional<JobStatus> live(SlurmJob job) {
    return switch (job.state().stage()) {
      case WAITING -> Optional.of(new JobStatus.Pending(job.reason(), isForWantOfNodes(job)));
      case RUNNING ->
          Optional.of(new JobStatus.Running(job.start().orElseGet(clock::instant), job.nodes()));
      case COMPLETING -> Optional.of(new JobStatus.Completing());
      case ENDED -> Optional.empty();
    };
  }

  /** squeue(1), "JOB REASON CODES"; a reservation of others gives the same reason. */
  private static boolean isForWantOfNodes(SlurmJob job) {
    return job.reason().startsWith("ReqNodeNotAvail")
        || job.reason().startsWith("NodeDown")
        || job.reason().contains("DOWN, DRAINED");
  }

  /**
   * The end of a job that is no longer live, if its own record shows it. A payload that ended by
   * itself is judged by its exit code, one that was ended from outside by Slurm's state.
   */
  private Optional<JobStatus> ended(
      JobHandle handle, JobId id, Optional<SlurmJob> slurm, JobEnd.Source source) {
    Optional<ExitRecord> duplicate = ExitRecord.readDuplicate(handle.files(), id);
    if (duplicate.isPresent()) {
      return Optional.of(
          new JobStatus.Ended(duplicate.get().end(JobEnd.State.DUPLICATE), List.of()));
    }
    Optional<ExitRecord> record =
        ExitRecord.read(handle.files()).filter(r -> r.job().equals(id.value()));
    if (record.isPresent()) {
      ExitRecord r = record.get();
      if (r.exitCode() == 0 && r.signal() == 0) {
        return Optional.of(
            new JobStatus.Ended(
                r.end(JobEnd.State.COMPLETED), slurm.map(SlurmJob::nodes).orElse(List.of())));
      }
      return slurm.map(
          job ->
              new JobStatus.Ended(
                  r.end(
                      job.state() == SlurmState.COMPLETED
                          ? JobEnd.State.FAILED
                          : job.state().end()),
                  job.nodes()));
    }
    boolean ranAgain = ExitRecord.ranAgain(handle.files(), id);
    return slurm.map(job -> new JobStatus.Ended(byTheBooks(job, ranAgain, source), job.nodes()));
  }

  /** Looks up jobs that left the queue without a record of a clean end, all in one query. */
  private void lookUp(List<JobHandle> handles, Map<JobHandle, JobStatus> statuses)
      throws ClusterUnreachableException, InterruptedException {
    List<SlurmOutput.Booked> books = new ArrayList<>();
    String ids =
        handles.stream().map(h -> h.job().orElseThrow().value()).collect(Collectors.joining(","));
    boolean byAccounting = queries.hasAccounting();
    if (byAccounting) {
      Instant since =
          handles.stream().map(JobHandle::intendedAt).min(Instant::compareTo).orElseThrow();
      books.addAll(queries.sacct(since, List.of("--jobs=" + ids)));
    } else {
      for (JobHandle handle : handles) {
        queries.showJob(handle.job().orElseThrow()).ifPresent(books::add);
      }
    }
    JobEnd.Source source = byAccounting ? JobEnd.Source.ACCOUNTING : JobEnd.Source.CONTROLLER;
    for (JobHandle handle : handles) {
      JobId id = handle.job().orElseThrow();
      Optional<SlurmJob> job =
          books.stream()
              .filter(b -> isOf(handle, b.job(), b.comment()))
              .map(SlurmOutput.Booked::job)
              .reduce((earlier, later) -> later);
      Optional<ExitRecord> record =
          ExitRecord.read(handle.files()).filter(r -> r.job().equals(id.value()));
      if (job.isPresent() && job.get().state().stage() != SlurmState.JobStage.ENDED) {
        statuses.put(handle, live(job.get()).orElse(new JobStatus.Completing()));
      } else if (job.isPresent()) {
        ended(handle, id, job, source).ifPresent(status -> statuses.put(handle, status));
      } else if (record.isPresent()) {
        statuses.put(
            handle,
            new JobStatus.Ended(
                record
                    .get()
                    .end(record.get().signal() == 0 ? JobEnd.State.FAILED : JobEnd.State.CANCELLED),
                List.of()));
      } else {
        statuses.put(
            handle,
            new JobStatus.Unknown("neither the queue, the accounting nor an exit record knows it"));
      }
    }
  }

  /**
   * The end of a job by the accounting. For a job that ran again, the accounting shows the end of
   * the start that did nothing.
   */
  private JobEnd byTheBooks(SlurmJob job, boolean ranAgain, JobEnd.Source source) {
    JobEnd.State told =
        job.state() == SlurmState.COMPLETED && job.exitCode() != 0
            ? JobEnd.State.FAILED
            : job.state().end();
    return new JobEnd(
        ranAgain ? JobEnd.State.REQUEUED : told,
        ranAgain ? 0 : job.exitCode(),
        job.start(),
        job.end().or(job::start).orElseGet(clock::instant),
        source);
  }

  /** A launcher's own error message, or else its last line. */
  private static String lastError(CommandRunner.Output output) {
    List<String> lines =
        (output.stdout() + "\n" + output.stderr()).lines().filter(l -> !l.isBlank()).toList();
    return lines.stream()
        .filter(l -> l.contains("[ERROR]") || l.contains("error:") || l.contains("!!!"))
        .reduce((a, b) -> b)
        .or(() -> lines.stream().reduce((a, b) -> b))
        .map(String::strip)
        .orElse("the launcher exited with " + output.exitCode() + " and said nothing");
  }
}
