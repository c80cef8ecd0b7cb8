package io.nightsweep.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What every cluster must do; each implementation runs it. */
@Tag("sweep")
abstract class ClusterContract {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final Instant start = Instant.now();

  abstract Cluster cluster() throws Exception;

  abstract Path shared() throws Exception;

  @Test
  void aJobThatSucceedsIsSeenWaitingOrRunningAndThenCompletedByItsOwnRecord() throws Exception {
    JobHandle job = submit("echo hello from $(hostname); sleep 1", Map.of(), List.of("n1", "n2"));
    JobEnd end = end(job);
    assertThat(end.state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(end.exitCode()).isZero();
    assertThat(end.source()).isEqualTo(JobEnd.Source.EXIT_RECORD);
    assertThat(Duration.between(end.startedAt().orElseThrow(), end.endedAt()))
        .isBetween(Duration.ofMillis(900), Duration.ofSeconds(10));
    assertThat(Files.readString(job.files().log())).contains("hello from");
  }

  @Test
  void aJobThatWasNeverSeenRunningIsStillKnownToHaveRunOnItsNodes() throws Exception {
    JobHandle job = submit("true", Map.of(), List.of("n1", "n2"));
    end(job);
    assertThat(((JobStatus.Ended) status(job)).nodes()).containsExactly("n1", "n2");
  }

  @Test
  void thePayloadSeesItsEnvironmentAndItsLauncherStartsTheRanks() throws Exception {
    JobHandle job =
        submit(
            "\"${NIGHTSWEEP_LAUNCH[@]}\" bash -c 'echo \"[$NASTY] rank\"'",
            Map.of("NASTY", "a'b\"c $(date) `id`"),
            List.of("n1", "n2"));
    assertThat(end(job).state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(Files.readString(job.files().log()).lines())
        .filteredOn(l -> l.contains("[a'b\"c $(date) `id`] rank"))
        .hasSize(2);
  }

  @Test
  void aFailingPayloadFailsWithItsExitCode() throws Exception {
    JobEnd end = end(submit("exit 3", Map.of(), List.of("n1")));
    assertThat(end.state()).isEqualTo(JobEnd.State.FAILED);
    assertThat(end.exitCode()).isEqualTo(3);
  }

  @Test
  void aPayloadThatASignalEndsFailsWith128AndTheSignal() throws Exception {
    JobEnd end = end(submit("kill -SEGV $BASHPID", Map.of(), List.of("n1")));
    assertThat(end.state()).isEqualTo(JobEnd.State.FAILED);
    assertThat(end.exitCode()).isEqualTo(139);
  }

  @Test
  void aWaitingJobCanBeCancelled() throws Exception {
    JobHandle first = submit("sleep 5", Map.of(), List.of("n2"));
    JobHandle second = submit("echo never", Map.of(), List.of("n2"));
    cluster().cancel(second);
    assertThat(end(second).state()).isEqualTo(JobEnd.State.CANCELLED);
    assertThat(end(first).state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(second.files().log()).doesNotExist();
  }

  @Test
  void aRunningJobCanBeCancelledAndNothingElseDies() throws Exception {
    JobHandle victim = submit("sleep 60", Map.of(), List.of("n3"));
    JobHandle other = submit("sleep 4", Map.of(), List.of("n4"));
    awaitRunning(victim);
    cluster().cancel(victim);
    assertThat(end(victim).state()).isEqualTo(JobEnd.State.CANCELLED);
    assertThat(end(other).state()).isEqualTo(JobEnd.State.COMPLETED);
    cluster().cancel(victim);
  }

  @Test
  void aSecondJobForAnIntentEndsAsADuplicate() throws Exception {
    Submission submission = submission("sleep 2", Map.of(), List.of("n1"));
    JobId first = cluster().submit(submission);
    JobId second = cluster().submit(submission);
    JobHandle one = handle(submission, first);
    JobHandle two = handle(submission, second);
    assertThat(end(one).state()).isEqualTo(JobEnd.State.COMPLETED);
    assertThat(end(two).state()).isEqualTo(JobEnd.State.DUPLICATE);
    assertThat(end(one).state()).isEqualTo(JobEnd.State.COMPLETED);
  }

  @Test
  @Tag("guard")
  void aClaimThatNamesAnotherJobAdoptsNothing() throws Exception {
    JobHandle other = submit("sleep 3", Map.of(), List.of("n2"));
    Submission submission = submission("true", Map.of(), List.of("n1"));
    JobHandle lost =
        new JobHandle(submission.jobName(), Optional.empty(), start, submission.files());
    Files.createDirectories(lost.files().directory());
    for (String claim :
        List.of(other.job().orElseThrow().value(), "--me", "", "1,2", "9".repeat(5000))) {
      Files.writeString(lost.files().claim(), claim);
      assertThat(cluster().find(lost)).as("claim %s", claim).isEmpty();
    }
    end(other);
  }

  @Test
  @Tag("guard")
  void anExitRecordThatIsNoSmallRegularFileIsLeftToTheClustersWord() throws Exception {
    for (String hostile :
        List.of(
            "truncate -s 2G exit.json",
            "mkfifo exit.json",
            "ln -s /dev/zero exit.json",
            "mkdir exit.json",
            "here=$PWD; cd /; rm -r $here; mkfifo $here",
            "echo null >exit.json",
            "echo '{\"exitCode\":0}' >exit.json",
            "read -r id <claim; printf '{\"job\":\"%s\",\"exitCode\":75,\"signal\":0,\"startedAt\":1,\"endedAt\":1,\"host\":\"n\"}' $id >duplicate.$id.json")) {
      JobHandle job = submit(hostile, Map.of(), List.of("n1"));
      assertThat(end(job).state())
          .as(hostile)
          .isIn(JobEnd.State.COMPLETED, JobEnd.State.FAILED, JobEnd.State.VANISHED);
    }
  }

  /** The daemon's environment may contain secrets under any name. */
  @Test
  @Tag("guard")
  void aJobHasNothingOfTheDaemonsEnvironment() throws Exception {
    JobHandle job = submit("env | cut -d= -f1", Map.of("SEEN", "yes"), List.of("n1"));
    end(job);
    Set<String> inherited = new TreeSet<>(System.getenv().keySet());
    inherited.removeAll(Set.of("PATH", "HOME", "USER"));
    // Variables that a shell sets itself, or Slurm's step or a login for the user.
    inherited.removeAll(Set.of("PWD", "OLDPWD", "SHLVL", "_"));
    inherited.removeAll(
        Set.of("SHELL", "LOGNAME", "MAIL", "HOSTNAME", "LANG", "TMPDIR", "ENVIRONMENT"));
    inherited.removeIf(name -> name.startsWith("SLURM"));
    assertThat(inherited).as("of this process").isNotEmpty();
    assertThat(Files.readAllLines(job.files().log()))
        .contains("PATH", "HOME", "SEEN")
        .doesNotContainAnyElementsOf(inherited);
  }

  @Test
  void aJobWhoseAnswerWasLostIsFoundByItsNameInEveryPhase() throws Exception {
    Submission blocker = submission("sleep 2", Map.of(), List.of("n1"));
    cluster().submit(blocker);
    Submission submission = submission("sleep 1", Map.of(), List.of("n1"));
    JobId job = cluster().submit(submission);
    JobHandle lost =
        new JobHandle(submission.jobName(), Optional.empty(), start, submission.files());
    assertThat(cluster().find(lost)).contains(job);
    end(handle(submission, job));
    assertThat(cluster().find(lost)).contains(job);
  }

  @Test
  void anIntentThatWasNeverSubmittedIsNotFound() throws Exception {
    Submission submission = submission("true", Map.of(), List.of("n1"));
    assertThat(
            cluster()
                .find(
                    new JobHandle(
                        submission.jobName(), Optional.empty(), start, submission.files())))
        .isEmpty();
  }

  @Test
  void aJobThatNobodyKnowsIsUnknown() throws Exception {
    Submission submission = submission("true", Map.of(), List.of("n1"));
    JobHandle handle = handle(submission, new JobId("987654"));
    assertThat(cluster().observe(List.of(handle)).get(handle))
        .isInstanceOf(JobStatus.Unknown.class);
  }

  /** A controller that lost its latest jobs reuses their ids. */
  @Test
  @Tag("guard")
  void aJobThatHasAnothersIdIsNeitherBelievedNorCancelled() throws Exception {
    JobHandle other = submit("sleep 3", Map.of(), List.of("n1"));
    Submission lost = submission("true", Map.of(), List.of("n2"));
    JobHandle handle = handle(lost, other.job().orElseThrow());
    assertThat(cluster().observe(List.of(handle, other)))
        .hasEntrySatisfying(
            handle, status -> assertThat(status).isInstanceOf(JobStatus.Unknown.class))
        .hasEntrySatisfying(
            other, status -> assertThat(status).isNotInstanceOf(JobStatus.Unknown.class));
    cluster().cancel(handle);
    assertThat(end(other).state()).isEqualTo(JobEnd.State.COMPLETED);
  }

  @Test
  void nodesAreListedWithTheirStates() throws Exception {
    assertThat(cluster().nodes(List.of()))
        .extracting(Cluster.Node::name)
        .contains("n1", "n2", "n3", "n4");
    assertThat(cluster().nodes(List.of("n4"))).extracting(Cluster.Node::name).containsExactly("n4");
  }

  @Test
  void otherJobsOnTheNodesAreSeen() throws Exception {
    JobHandle own = submit("sleep 3", Map.of(), List.of("n4"));
    JobHandle foreign = submit("sleep 3", Map.of(), List.of("n4"));
    assertThat(cluster().foreignJobs(List.of("n4"), List.of(own.job().orElseThrow())))
        .extracting(Cluster.ForeignJob::job)
        .contains(foreign.job().orElseThrow())
        .doesNotContain(own.job().orElseThrow());
    end(own);
    end(foreign);
  }

  protected final JobHandle submit(String payload, Map<String, String> env, List<String> nodes)
      throws Exception {
    Submission submission = submission(payload, env, nodes);
    return handle(submission, cluster().submit(submission));
  }

  protected final Submission submission(String payload, Map<String, String> env, List<String> nodes)
      throws Exception {
    String name = "ns-contract-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
    JobFiles files = new JobFiles(shared().resolve(name));
    Files.createDirectories(files.directory());
    return new Submission(
        name,
        "contract " + name,
        nodes,
        Optional.empty(),
        nodes.size(),
        PerTask.UNSAID,
        Duration.ofMinutes(2),
        env,
        payload,
        files.directory(),
        files);
  }

  protected final JobHandle handle(Submission submission, JobId job) {
    return new JobHandle(submission.jobName(), Optional.of(job), start, submission.files());
  }

  protected final JobEnd end(JobHandle job) {
    JobStatus status =
        await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(300))
            .until(() -> status(job), s -> s instanceof JobStatus.Ended);
    return ((JobStatus.Ended) status).end();
  }

  final JobStatus status(JobHandle job) throws Exception {
    return cluster()
        .observe(List.of(job))
        .getOrDefault(job, new JobStatus.Unknown("not mentioned"));
  }

  protected final void awaitRunning(JobHandle job) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(300))
        .until(() -> status(job) instanceof JobStatus.Running);
  }
}
