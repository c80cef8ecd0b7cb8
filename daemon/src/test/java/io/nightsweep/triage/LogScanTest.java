package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.joblog.JobLog;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Clue;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.FailureClass;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Recognition;
import io.nightsweep.sweep.Signature;
import io.nightsweep.sweep.TrialId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens to logs while they are written: rotation, truncation, endless growth. */
class LogScanTest {
  private static final AttemptId ATTEMPT = new AttemptId(new TrialId(1), 1);
  private static final Watch FINE =
      new Watch(
          Instant.EPOCH, Instant.EPOCH, Optional.empty(), 0, 0, true, true, OptionalDouble.empty());
  private static final JobEnd FAILED =
      new JobEnd(
          JobEnd.State.FAILED, 1, Optional.empty(), Instant.EPOCH, JobEnd.Source.EXIT_RECORD);

  @TempDir private Path folder;

  private static Recognition recognition(Signature... signatures) {
    return new Recognition(
        List.of("not really broken"),
        List.of(),
        Recognition.Errors.NONE,
        new TreeMap<>(),
        Recognition.Readings.NONE,
        List.of(
            new FailureClass(
                "broken", "", 1, List.of(signatures), List.of("node=(\\w+)"), List.of())));
  }

  private static Signature line(String pattern) {
    return new Signature(1, List.of(new Clue.Line(pattern, Optional.empty(), Optional.empty())));
  }

  private static Signature near(String pattern, String other) {
    return new Signature(1, List.of(new Clue.Line(pattern, Optional.of(other), Optional.empty())));
  }

  private static Signature unless(String pattern, String other) {
    return new Signature(1, List.of(new Clue.Line(pattern, Optional.empty(), Optional.of(other))));
  }

  private Path log() {
    return folder.resolve("job.log");
  }

  private void append(String text) throws IOException {
    Files.writeString(log(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private Diagnosis diagnose(PlaybookDiagnoser diagnoser) {
    return diagnose(diagnoser, new JobLog(log()));
  }

  private static Diagnosis diagnose(PlaybookDiagnoser diagnoser, JobLog job) {
    return diagnoser.diagnose(ATTEMPT, FAILED, job, -1, 0, Optional.empty());
  }

  @Test
  void whatStoodInALogBeforeItWasRotatedCounts() throws IOException {
    PlaybookDiagnoser diagnoser = new PlaybookDiagnoser(recognition(line("is broken")));
    JobLog job = new JobLog(log());
    append("one\ntwo is broken node=n1\n");
    diagnoser.look(ATTEMPT, job, FINE);
    append("three is broken node=n2\n");
    Files.move(log(), folder.resolve("job.log.1"));
    append("four\nfive is broken node=n3\n");
    diagnoser.look(ATTEMPT, job, FINE);
    Diagnosis diagnosis = diagnose(diagnoser, job);
    assertThat(diagnosis.subjects()).containsExactly("n1", "n2", "n3");
    assertThat(diagnosis.quotes().stream().map(Diagnosis.Quote::line)).containsExactly(2L, 3L, 2L);
    // A reader that did not see the change finds the same.
    assertThat(diagnose(new PlaybookDiagnoser(recognition(line("is broken")))).subjects())
        .isEqualTo(diagnosis.subjects());
  }

  @Test
  void aLogThatIsTruncatedIsReadFromItsStart() throws IOException {
    PlaybookDiagnoser diagnoser = new PlaybookDiagnoser(recognition(line("is broken")));
    JobLog job = new JobLog(log());
    append("first\nsecond\nthird\n");
    diagnoser.look(ATTEMPT, job, FINE);
    Files.writeString(log(), "is broken node=n1\n");
    Diagnosis diagnosis = diagnose(diagnoser, job);
    assertThat(diagnosis.failureClass()).isEqualTo("broken");
    assertThat(diagnosis.quotes().getFirst().line()).isEqualTo(1);
  }

  @Test
  void benignLinesAreFilteredFirst() throws IOException {
    append("is broken? not really broken\n");
    assertThat(diagnose(new PlaybookDiagnoser(recognition(line("is broken")))).failureClass())
        .isEqualTo("unclassified");
  }

  /** The launcher prints its own repository's changes into each log. */
  @Test
  void whatTheLauncherSaysOfItsRepositoryIsNoEvidence() throws IOException {
    append(
        """
        === GIT SUMMARY BEGIN ===
        [DIFF]
        -    echo "this is broken" >&2
        -echo "=== GIT SUMMARY END ==="
         echo "that is broken too"
        """);
    PlaybookDiagnoser diagnoser = new PlaybookDiagnoser(recognition(line("is broken")));
    JobLog job = new JobLog(log());
    diagnoser.look(ATTEMPT, job, FINE);
    append("0: rank 0 is broken node=n1\n is broken node=n2\n=== GIT SUMMARY END ===\n");
    append("the job is broken node=n3\n");
    Diagnosis diagnosis = diagnose(diagnoser, job);
    assertThat(diagnosis.subjects()).containsExactly("n1", "n3");
    assertThat(diagnosis.quotes().stream().map(Diagnosis.Quote::line)).containsExactly(6L, 9L);
  }

  @Test
  void aSummaryThatIsNotEndedHidesNothingOfSlurmAndOfRanks() throws IOException {
    append(
        "=== GIT SUMMARY BEGIN ===\n-is broken\nslurmstepd: error: JOB 5 is broken node=n1\n"
            + "1: === GIT SUMMARY END ===\n1: is broken node=n2\n");
    assertThat(diagnose(new PlaybookDiagnoser(recognition(line("is broken")))).subjects())
        .containsExactly("n1", "n2");
  }

  @Test
  void contextIsLookedForInTheWholeLog() throws IOException {
    append("Killed\n1\n2\noom\n");
    assertThat(classBy(near("Killed", "oom"))).isEqualTo("broken");
    assertThat(classBy(near("oom", "Killed"))).isEqualTo("broken");
    assertThat(classBy(near("oom", "nothing"))).isEqualTo("unclassified");
    assertThat(classBy(unless("Killed", "oom"))).isEqualTo("unclassified");
    assertThat(classBy(unless("oom", "Killed"))).isEqualTo("unclassified");
    assertThat(classBy(unless("oom", "nothing"))).isEqualTo("broken");
  }

  private String classBy(Signature signature) {
    return diagnose(new PlaybookDiagnoser(recognition(signature))).failureClass();
  }

  @Test
  void aLogWithoutEndCallsForACancel() throws IOException {
    PlaybookDiagnoser diagnoser =
        new PlaybookDiagnoser(recognition(new Signature(1, List.of(new Clue.Grown(1000)))));
    JobLog job = new JobLog(log());
    append("x".repeat(999) + "\n");
    assertThat(diagnoser.look(ATTEMPT, job, FINE)).isEmpty();
    append("y\n");
    assertThat(diagnoser.look(ATTEMPT, job, FINE)).isPresent();
  }

  @Test
  void aLineOfManyMegabytesIsReadInPieces() throws IOException {
    append("x".repeat(3_000_000) + " is broken " + "y".repeat(3_000_000) + "\nnext is broken\n");
    Diagnosis diagnosis = diagnose(new PlaybookDiagnoser(recognition(line("is broken"))));
    assertThat(diagnosis.quotes()).hasSize(2);
    assertThat(diagnosis.quotes().getFirst().text()).contains("is broken").hasSizeLessThan(600);
    assertThat(diagnosis.quotes().stream().map(Diagnosis.Quote::line)).containsExactly(1L, 2L);
  }

  @Test
  void aSilenceOutlivesTheCancelThatItLedTo() throws IOException {
    Signature silence = new Signature(0.8, List.of(new Clue.Silence(Duration.ofMinutes(10))));
    Recognition recognition =
        new Recognition(
            List.of(),
            List.of(),
            Recognition.Errors.NONE,
            new TreeMap<>(),
            Recognition.Readings.NONE,
            List.of(
                new FailureClass("hang", "", 1, List.of(silence), List.of(), List.of()),
                new FailureClass(
                    "cancelled",
                    "",
                    2,
                    List.of(
                        new Signature(1, List.of(new Clue.Ended(List.of(JobEnd.State.CANCELLED))))),
                    List.of(),
                    List.of())));
    PlaybookDiagnoser diagnoser = new PlaybookDiagnoser(recognition);
    JobLog job = new JobLog(log());
    append("nothing\n");
    Watch silent =
        new Watch(
            Instant.EPOCH.plusSeconds(601),
            Instant.EPOCH,
            Optional.empty(),
            -1,
            0,
            true,
            false,
            OptionalDouble.empty());
    Optional<Diagnosis> hang = diagnoser.look(ATTEMPT, job, silent);
    JobEnd end =
        new JobEnd(
            JobEnd.State.CANCELLED, 143, Optional.empty(), Instant.EPOCH, JobEnd.Source.QUEUE);
    assertThat(diagnoser.diagnose(ATTEMPT, end, job, -1, 0, hang).failureClass()).isEqualTo("hang");
    assertThat(
            diagnoser
                .diagnose(ATTEMPT, end, new JobLog(log()), -1, 0, Optional.empty())
                .failureClass())
        .isEqualTo("cancelled");
  }
}
