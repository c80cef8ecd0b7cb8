package io.nightsweep.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.CommandRunner;
import io.nightsweep.cluster.JobFiles;
import io.nightsweep.cluster.JobHandle;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Slurm's output when a job id, or the record of a duplicate, belongs to another job than it seems.
 */
@Tag("guard")
class OthersJobsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_795_372_916);

  @TempDir private Path folder;
  private final List<String> ran = new ArrayList<>();
  private String queue = "";
  private String shown = "";
  private String booked = "";
  private String bookedForUs = "";

  private final SlurmCluster slurm =
      new SlurmCluster(
          (arguments, timeout) -> {
            ran.add(String.join(" ", arguments));
            return switch (arguments.getFirst()) {
              case "squeue" -> new CommandRunner.Output(0, queue, "");
              case "id" -> new CommandRunner.Output(0, "1000\n", "");
              case "sacct" ->
                  new CommandRunner.Output(
                      0, arguments.contains("--user=1000") ? bookedForUs : booked, "");
              case "scontrol" ->
                  shown.isEmpty()
                      ? new CommandRunner.Output(1, "", "Invalid job id specified")
                      : new CommandRunner.Output(0, shown, "");
              default -> new CommandRunner.Output(0, "", "");
            };
          },
          InstantSource.fixed(NOW));

  private JobHandle mine(String attempt) {
    return new JobHandle(
        "ns-left-" + attempt, Optional.of(new JobId("44")), NOW, new JobFiles(folder));
  }

  private static String queued(String name, String state) {
    return "44|" + state + "|1795372916|n[3-4]||root|" + name + "|comment|None\n";
  }

  @Test
  void anIdThatTheControllerGaveAgainIsNobodys() throws Exception {
    queue = queued("ns-right-t0001a1", "RUNNING");
    shown = "JobId=44 JobName=ns-right-t0001a1 JobState=COMPLETED ExitCode=0:0 NodeList=n[3-4]\n";
    JobHandle lost = mine("t0004a1");
    assertThat(slurm.observe(List.of(lost)).get(lost)).isInstanceOf(JobStatus.Unknown.class);
    slurm.cancel(lost);
    assertThat(ran).noneMatch(command -> command.startsWith("scancel"));
  }

  /**
   * A start in 1970 would spend the budget of node-hours at once, and one in the far future
   * overflows.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "N/A",
        "",
        "0",
        "-1795372916",
        "31556889864403199",
        "99999999999999999999",
        "2026-11-22"
      })
  void aRunningJobWithoutATimeThatItCanHaveStartedAtStartsNow(String start) throws Exception {
    JobHandle job = mine("t0004a1");
    queue = queued("ns-left-t0004a1", "RUNNING").replace("|1795372916|", "|" + start + "|");
    assertThat(slurm.observe(List.of(job)).get(job))
        .isEqualTo(new JobStatus.Running(NOW, List.of("n3", "n4")));
  }

  /** Both attempts belong to one sweep, and their jobs have the same id. */
  @Test
  void theJobThatHasTheIdNowIsSeen() throws Exception {
    queue = queued("ns-left-t0005a1", "RUNNING");
    shown = "JobId=44 JobName=ns-left-t0005a1 JobState=RUNNING NodeList=n[3-4]\n";
    JobHandle lost = mine("t0004a1");
    JobHandle now = mine("t0005a1");
    for (List<JobHandle> both : List.of(List.of(lost, now), List.of(now, lost))) {
      assertThat(slurm.observe(both).get(lost)).isInstanceOf(JobStatus.Unknown.class);
      assertThat(slurm.observe(both).get(now)).isInstanceOf(JobStatus.Running.class);
    }
    slurm.cancel(now);
    assertThat(ran).contains("scancel 44");
  }

  /** To root, and for a query by id, the accounting shows all users' jobs. */
  @Test
  void aJobThatAnotherUserNamedLikeOursIsNotFoundInTheBooks() throws Exception {
    shown = "AccountingStorageType   = accounting_storage/slurmdbd\n";
    booked = "44|FAILED|1:0|1795372916|1795372917|n3|ns-left-t0004a1|ns-left-t0004a1\n";
    JobHandle mine = mine("t0004a1");
    assertThat(slurm.find(mine.unanswered())).isEmpty();
    assertThat(slurm.observe(List.of(mine)).get(mine)).isInstanceOf(JobStatus.Unknown.class);
    assertThat(ran).anyMatch(command -> command.startsWith("sacct"));
  }

  /** A launcher chooses its jobs' names, but the comment is Nightsweep's. */
  @Test
  void aJobIsKnownByItsCommentToo() throws Exception {
    queue = queued("JAX-m-7", "RUNNING").replace("|comment|", "|ns-left-t0004a1|");
    JobHandle mine = mine("t0004a1");
    assertThat(slurm.observe(List.of(mine)).get(mine)).isInstanceOf(JobStatus.Running.class);
  }

  /** A job may write anything into its claim; the queue knows the name of the job with that id. */
  @Test
  void aClaimOnAJobOfAnotherNameAdoptsNothing() throws Exception {
    JobHandle intent = mine("t0004a1").unanswered();
    shown = "AccountingStorageType   = (null)\n";
    Files.writeString(intent.files().claim(), "44\n");
    queue = queued("somebody-elses", "RUNNING");
    assertThat(slurm.find(intent)).isEmpty();
    queue = "";
    assertThat(slurm.find(intent)).as("no longer in the queue").contains(new JobId("44"));
    queue = queued("ns-left-t0004a1", "RUNNING").replaceFirst("44", "45");
    assertThat(slurm.find(intent)).as("the queue names it").contains(new JobId("45"));
    for (String claim : List.of("--me", "44;45", "$(id)", "1".repeat(19), "")) {
      Files.writeString(intent.files().claim(), claim);
      queue = "";
      assertThat(slurm.find(intent)).as(claim).isEmpty();
    }
  }

  /** A queue keeps a job for minutes, the accounting keeps it for months. */
  @Test
  void aClaimOnAJobThatTheBooksDoNotKnowAsOursAdoptsNothing() throws Exception {
    JobHandle intent = mine("t0004a1").unanswered();
    shown = "AccountingStorageType   = accounting_storage/slurmdbd\n";
    Files.writeString(intent.files().claim(), "44\n");
    assertThat(slurm.find(intent)).as("neither queue nor books know it").isEmpty();
    bookedForUs = "44|COMPLETED|0:0|1795372916|1795372917|n3|comment|somebody-elses\n";
    assertThat(slurm.find(intent)).isEmpty();
    bookedForUs = bookedForUs.replace("|comment|", "||");
    assertThat(slurm.find(intent)).as("books without comments").isEmpty();
    bookedForUs += "45|COMPLETED|0:0|1795372916|1795372917|n3||ns-left-t0004a1\n";
    assertThat(slurm.find(intent)).contains(new JobId("45"));
  }

  /** Another job of this user has the same name; its comment does not begin with it. */
  @Test
  void aClaimDecidesAmongJobsThatAreOursByNameAndCommentAlone() throws Exception {
    JobHandle intent = mine("t0004a1").unanswered();
    String ours = queued("ns-left-t0004a1", "RUNNING");
    String disguised = ours.replaceFirst("44", "43");
    String whole = ours.replace("|comment|", "|ns-left-t0004a1 p1|").replaceFirst("44", "45");
    Files.writeString(intent.files().claim(), "43\n");
    queue = disguised + whole;
    assertThat(slurm.find(intent)).contains(new JobId("45"));
    shown = "AccountingStorageType   = accounting_storage/slurmdbd\n";
    queue = "";
    bookedForUs =
        "43|FAILED|1:0|1795372916|1795372917|n3|another|ns-left-t0004a1\n"
            + "45|COMPLETED|0:0|1795372916|1795372917|n3|ns-left-t0004a1 p1|ns-left-t0004a1\n";
    assertThat(slurm.find(intent)).contains(new JobId("45"));
    // Two jobs of one intent, as after a lost answer: the one that ran decides.
    queue = whole + whole.replaceFirst("45", "46");
    Files.writeString(intent.files().claim(), "46\n");
    assertThat(slurm.find(intent)).contains(new JobId("46"));
    queue = disguised;
    bookedForUs = "";
    assertThat(slurm.find(intent)).as("a cluster that rewrites comments").contains(new JobId("43"));
  }

  /**
   * The record is another job's, too long, or lacks what the wrapper always writes: Slurm's report
   * counts.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"job\":\"45\",\"exitCode\":0,\"signal\":0,\"startedAt\":1,\"endedAt\":2,\"host\":\"n3\"}",
        "{\"job\":\"44\",\"exitCode\":0,\"signal\":0,\"startedAt\":1,\"endedAt\":2,\"host\":null}",
        "{\"job\":null,\"exitCode\":0,\"signal\":0,\"startedAt\":1,\"endedAt\":2,\"host\":\"n3\"}",
        "{\"job\":\"44\",\"exitCode\":0,\"signal\":0,\"startedAt\":1e300,\"endedAt\":2,\"host\":\"n3\"}",
        "{\"job\":\"44\",\"exitCode\":0,\"signal\":0,\"startedAt\":1,\"endedAt\":2,\"host\":\"n3\"} SPACES"
      })
  void aRecordThatIsNotTheWrappersEndsNothingWell(String record) throws Exception {
    JobHandle job = mine("t0006a1");
    Files.writeString(job.files().exitRecord(), record.replace("SPACES", " ".repeat(8_000)));
    queue = queued("ns-left-t0006a1", "FAILED");
    assertThat(slurm.observe(List.of(job)).get(job))
        .isInstanceOfSatisfying(
            JobStatus.Ended.class, e -> assertThat(e.end().state()).isEqualTo(JobEnd.State.FAILED));
  }

  /** The accounting shows the end of a second start that did nothing. */
  @Test
  void aJobThatItsControllerStartedAgainIsNotJudgedByThatStart() throws Exception {
    JobHandle job = mine("t0006a15");
    Files.writeString(job.files().claim(), "44\n");
    Files.writeString(
        folder.resolve("duplicate.44.json"),
        "{\"job\":\"44\",\"exitCode\":75,\"signal\":0,\"startedAt\":1,\"endedAt\":1,\"host\":\"n3\"}");
    queue = queued("ns-left-t0006a15", "FAILED");
    assertThat(slurm.observe(List.of(job)).get(job))
        .isInstanceOfSatisfying(
            JobStatus.Ended.class,
            e -> assertThat(e.end().state()).isEqualTo(JobEnd.State.REQUEUED));
    Files.writeString(
        job.files().exitRecord(),
        "{\"job\":\"44\",\"exitCode\":0,\"signal\":0,\"startedAt\":1,\"endedAt\":2,\"host\":\"n3\"}");
    assertThat(slurm.observe(List.of(job)).get(job))
        .as("the first start had ended well")
        .isInstanceOfSatisfying(
            JobStatus.Ended.class,
            e -> assertThat(e.end().state()).isEqualTo(JobEnd.State.COMPLETED));
  }
}
