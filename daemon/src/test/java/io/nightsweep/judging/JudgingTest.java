package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.report.Phrases;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The verdict on an ended attempt, as a table. */
@Tag("verdicts")
class JudgingTest {
  private static final Instant END = Instant.parse("2026-01-02T03:04:05Z");

  /** A program that prints NaN until its end and exits with 0 was "failed as success". */
  @ParameterizedTest
  @CsvSource({
    "success, true",
    "soft-success, true",
    "unclassified, true",
    "oom-gpu, false",
    "nan-loss, false"
  })
  @Tag("guard")
  void aSuccessWithoutAMeasurementTellsNoCause(String failureClass, boolean tellsNone) {
    assertThat(Judging.tellsNoCause(diagnosis(failureClass))).isEqualTo(tellsNone);
  }

  @ParameterizedTest
  @CsvSource({"0.49, true", "0.5, false"})
  void aGuessTellsNoCause(double confidence, boolean tellsNone) {
    Diagnosis told =
        new Diagnosis("oom-gpu", confidence, List.of(), Statement.words("told"), List.of());
    assertThat(Judging.tellsNoCause(told)).isEqualTo(tellsNone);
  }

  /**
   * The columns: the trial's purpose; how the job ended, with its exit code if it has one; the exit
   * code in the log; what the job attests; its software; the loss of a whole measurement and its
   * first step, empty if there is none; the playbook's reading of log and end; the judgement.
   */
  @ParameterizedTest(name = "{8}: {0}, {1}, log {2}, {3}, {4}, loss {5}, {6} -> {7}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SCREEN   | COMPLETED 0   |   | same  | same  | 2.5 | unclassified | measured          | an ordinary run
          SCREEN   | COMPLETED 0   |   | other | same  | 2.5 | unclassified | void: another one | it ran another profile
          SCREEN   | COMPLETED 0   |   | same  | other | 2.5 | unclassified | void: jax 0.8     | it ran with other software
          SCREEN   | COMPLETED 0   |   | other | other | 2.5 | unclassified | void: another one | the profile is told first
          SCREEN   | COMPLETED 0   |   | other | same  | NaN | nan-loss     | void: another one | what was not scheduled has no failure
          SCREEN   | FAILED 1      |   | other | same  |     | oom-gpu      | void: another one; it failed as well: oom-gpu: told | its end is told
          SCREEN   | COMPLETED 0   |   | none  | same  | 2.5 | unclassified | void: the job does not attest the profile that it saw | figures of an unknown profile
          SCREEN   | COMPLETED 0   |   | same  | same  | NaN | unclassified | nan-loss          | NaN by its figures
          SCREEN   | COMPLETED 0   |   | same  | same  | Infinity | unclassified | nan-loss     | an infinite loss is none either
          SCREEN   | COMPLETED 0   |   | same  | same  | 2.5 | nan-loss     | nan-loss          | NaN by its log
          SCREEN   | COMPLETED 0   |   | none  | same  | NaN | unclassified | nan-loss          | NaN before void
          SCREEN   | FAILED 1      |   | same  | same  | NaN | soft-success | nan-loss          | NaN before a soft success
          SCREEN   | FAILED 1      |   | same  | same  | 2.5 | soft-success | measured          | only the tear-down failed
          SCREEN   | FAILED 1      |   | none  | same  | ends at NaN | unclassified | nan-loss | the training ended itself for it
          PROBE    | FAILED 1      |   | none  | same  | ends at NaN | unclassified | nan-loss | whatever it was for
          SCREEN   | FAILED 1      |   | none  | same  | 2.5 | soft-success | soft-success      | nobody knows what was measured
          SCREEN   | FAILED 1      |   | same  | same  |     | soft-success | soft-success      | nothing was measured
          SCREEN   | FAILED 1      |   | same  | same  | 2.5 | oom-gpu      | oom-gpu           | a failed job measures nothing
          SCREEN   | COMPLETED 0   |   | lost  | same  | 2.5 | unclassified | disk-full         | a full disk took what attests it
          SCREEN   | COMPLETED 0   |   | none  | same  | 2.5 | disk-full    | disk-full         | and so says the log
          SCREEN   | COMPLETED 0   |   | none  | same  | 2.5 from 4 | unclassified | disk-full  | its first steps went with it
          SCREEN   | COMPLETED 0   |   | none  | same  | 2.5 from 1 | unclassified | void: the job does not attest the profile that it saw | a program that counts its steps from 1
          SCREEN   | COMPLETED 0   |   | same  | same  | 2.5 from 4 | disk-full | measured      | what counts is there
          SCREEN   | COMPLETED 0   |   | same  | same  |     | unclassified | unclassified      | no measurement
          SCREEN   | COMPLETED 137 |   | same  | same  | 2.5 | unclassified | unclassified      | completed with an exit code
          SCREEN   | TIME_LIMIT 0  |   | same  | same  |     | hang         | hang              | given up for its silence
          SCREEN   | CANCELLED 0   |   | same  | same  | 2.5 | cancelled    | cancelled         | cancelled after its last step
          SCREEN   | VANISHED 0    | 0 | same  | same  | 2.5 | vanished     | measured          | its log tells a good end
          SCREEN   | VANISHED 0    | 1 | same  | same  | 2.5 | vanished     | vanished          | its log tells a bad end
          SCREEN   | VANISHED 0    |   | same  | same  | 2.5 | vanished     | vanished          | its log tells no end
          PROBE    | COMPLETED 0   |   | none  | same  |     | unclassified | done              | a probe did what it was for
          PROBE    | FAILED 1      |   | none  | same  |     | unknown-flag | unknown-flag      | a probe failed
          EVIDENCE | COMPLETED 0   |   | same  | same  | 2.5 | unclassified | measured          | profiled, and measured too
          EVIDENCE | COMPLETED 0   |   | same  | same  |     | nan-loss     | done              | profiled, and not measured
          """)
  void counts(
      Trial.Purpose purpose,
      String end,
      @Nullable Integer exitInLog,
      String attested,
      String software,
      @Nullable String loss,
      String failureClass,
      String expected,
      String why) {
    Workload.WorkloadReading reading =
        new Workload.WorkloadReading(
            7,
            8,
            Optional.ofNullable(loss).filter(l -> !l.startsWith("ends")).map(JudgingTest::measured),
            Optional.empty(),
            switch (attested) {
              case "same" -> new Workload.Effective.AsScheduled();
              case "other" -> new Workload.Effective.Different(Statement.words("another one"));
              default -> new Workload.Effective.NotYet();
            },
            exitInLog == null ? OptionalInt.empty() : OptionalInt.of(exitInLog),
            List.of(),
            Set.of(),
            new TreeMap<>(),
            loss == null || Double.isFinite(Double.parseDouble(number(loss)))
                ? OptionalInt.empty()
                : OptionalInt.of(3));
    Judgement found =
        Judging.judge(
            new Judging.Observed(
                purpose,
                end(end),
                reading,
                software.equals("same")
                    ? Optional.empty()
                    : Optional.of(Statement.words("jax 0.8")),
                attested.equals("lost"),
                diagnosis(failureClass)));
    assertThat(words(found)).as(why).isEqualTo(expected);
  }

  /**
   * The source of the nodes' names: the diagnosis, or else the cluster if it ended the job because
   * of them.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          NODE_FAIL 0     | failed   | n9 | true
          NEVER_STARTED 0 | failed   |    | true
          VANISHED 0      | failed   |    | true
          NODE_FAIL 0     | failed   | n1 | false
          FAILED 1        | failed   |    | false
          VANISHED 0      | measured |    | false
          """)
  void asksWhichNodesAreGone(String end, String judged, @Nullable String subject, boolean asks) {
    Judgement judgement =
        judged.equals("failed")
            ? new Judgement.Failed(
                new Diagnosis(
                    "node-fail",
                    1,
                    List.of(),
                    Statement.words(""),
                    Optional.ofNullable(subject).stream().toList()))
            : new Judgement.Measured(measured("2"));
    assertThat(Judging.lacksItsNodes(end(end), judgement, List.of("n1", "n2"))).isEqualTo(asks);
  }

  @Test
  void aFailureNamesTheNodesThatCannotBeUsed() {
    Judgement named =
        Judging.naming(
            new Judgement.Failed(diagnosis("node-fail")),
            List.of(
                new Cluster.Node(
                    "n1", Cluster.Node.Availability.UNUSABLE, "drained", "bad NIC", List.of()),
                new Cluster.Node("n2", Cluster.Node.Availability.IDLE, "idle", "", List.of())));
    assertThat(((Judgement.Failed) named).diagnosis().subjects()).containsExactly("n1");
    assertThat(Phrases.EN.text(((Judgement.Failed) named).diagnosis().detail()))
        .isEqualTo("told; n1 is drained (bad NIC)");
  }

  /** If Slurm notices a missing node later than the daemon notices a missing step. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          hang-after-step0 | true  | down*     | node-fail
          hang-after-step0 | true  | down      | node-fail
          hang-after-step0 | true  | draining* | node-fail
          # By Slurm, since its processes did not end.
          hang-after-step0 | true  | drained   | hang-after-step0
          hang-after-step0 | true  | idle      | hang-after-step0
          # A line that came after it was given up tells the cause.
          nic-fault        | false | down*     | nic-fault
          # While it waited for nodes.
          node-down        | true  | down*     | node-down
          """)
  void aJobThatItsNodeTookWithItDidNotHang(
      String failureClass, boolean isWhyGivenUp, String state, String expected) {
    Diagnosis found = diagnosis(failureClass);
    Judgement judged =
        Judging.withItsNode(
            new Judgement.Failed(found),
            Optional.of(isWhyGivenUp ? found : diagnosis("hang-after-step0")),
            List.of(
                new Cluster.Node("n1", Cluster.Node.Availability.BUSY, "mixed", "", List.of()),
                new Cluster.Node(
                    "n2",
                    state.equals("idle")
                        ? Cluster.Node.Availability.IDLE
                        : Cluster.Node.Availability.UNUSABLE,
                    state,
                    "Not responding",
                    List.of())));
    Diagnosis d = ((Judgement.Failed) judged).diagnosis();
    assertThat(d.failureClass()).isEqualTo(expected);
    if (expected.equals("node-fail")) {
      assertThat(d.subjects()).containsExactly("n2");
      assertThat(Phrases.EN.text(d.detail()))
          .isEqualTo("n2 is " + state + " (Not responding); told");
    }
  }

  private static JobEnd end(String stateAndCode) {
    String[] parts = stateAndCode.split(" ");
    return new JobEnd(
        JobEnd.State.valueOf(parts[0]),
        Integer.parseInt(parts[1]),
        Optional.of(END.minusSeconds(60)),
        END,
        JobEnd.Source.EXIT_RECORD);
  }

  private static Diagnosis diagnosis(String failureClass) {
    return new Diagnosis(failureClass, 0.9, List.of(), Statement.words("told"), List.of());
  }

  private static String number(String loss) {
    return loss.replace("ends at ", "").replaceFirst(" from .*", "");
  }

  private static Measurement measured(String loss) {
    int first = loss.contains(" from ") ? Integer.parseInt(loss.replaceFirst(".* from ", "")) : 0;
    Measurement.MeasuredStep step =
        new Measurement.MeasuredStep(
            first, 1, 1000, OptionalDouble.of(Double.parseDouble(number(loss))));
    return new Measurement(1000, List.of(step), 0, 0, new TreeMap<>());
  }

  private static String words(Judgement judgement) {
    return switch (judgement) {
      case Judgement.Failed f -> f.diagnosis().failureClass();
      case Judgement.Voided v -> "void: " + Phrases.EN.text(v.reason());
      case Judgement.Measured m -> "measured";
      case Judgement.Done d -> "done";
      case Judgement.Duplicate d -> judgement.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    };
  }
}
