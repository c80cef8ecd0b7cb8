package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.cluster.Cluster;
import io.nightsweep.cluster.JobStatus;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.AttemptState.Doubt;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What one look at the cluster shows about a job, as a table. */
@Tag("verdicts")
class SightingsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:00:00Z");
  private static final Duration GRACE = Duration.ofMinutes(2);
  private static final AttemptId ID = AttemptId.parse("t0001a1");

  /** The earlier doubt's kind and age, and what the cluster says now. */
  @ParameterizedTest(name = "{0} for {1} s, then {2}: {3}")
  @CsvSource({
    ",              0,   unknown,    UNKNOWN",
    "UNKNOWN,       50,  unknown,    -",
    "UNKNOWN,       50,  running,    seen",
    "UNKNOWN,       50,  completing, seen",
    "UNKNOWN,       50,  queued,     seen",
    "UNKNOWN,       50,  no-nodes,   WITHOUT_NODES",
    "UNKNOWN,       50,  ended,      -",
    ",              0,   no-nodes,   WITHOUT_NODES",
    "WITHOUT_NODES, 50,  no-nodes,   -",
    "WITHOUT_NODES, 50,  queued,     seen",
    "WITHOUT_NODES, 50,  unknown,    UNKNOWN",
    ",              0,   queued,     -",
    ",              0,   running,    -",
  })
  void beginsAndEndsAGrace(Doubt.@Nullable Kind kind, int seconds, String status, String expected) {
    String found =
        Sightings.doubt(attempt(Optional.ofNullable(kind), seconds), status(status))
            .map(e -> e instanceof Event.AttemptDoubted d ? d.kind().name() : "seen")
            .orElse("-");
    assertThat(found).isEqualTo(expected);
  }

  /** Whether the attempt is lost, or its nodes are queried, once a doubt has this age. */
  @ParameterizedTest(name = "{0} for {1} s")
  @CsvSource({
    ",              0,   false, false",
    "UNKNOWN,       119, false, false",
    "UNKNOWN,       120, true,  false",
    "WITHOUT_NODES, 119, false, false",
    "WITHOUT_NODES, 120, false, true",
  })
  void endsWithTheGrace(
      Doubt.@Nullable Kind kind, int seconds, boolean vanished, boolean asksForNodes) {
    AttemptState a = attempt(Optional.ofNullable(kind), seconds);
    assertThat(Sightings.vanished(a, GRACE, NOW).isPresent()).isEqualTo(vanished);
    assertThat(Sightings.isLeftWaiting(a, GRACE, NOW)).isEqualTo(asksForNodes);
  }

  @Test
  void aWaitingJobIsGivenUpOnlyWhereANodeCannotBeUsed() {
    Cluster.Node idle =
        new Cluster.Node("n1", Cluster.Node.Availability.IDLE, "idle", "", List.of());
    Cluster.Node down =
        new Cluster.Node("n2", Cluster.Node.Availability.UNUSABLE, "down", "no power", List.of());
    AttemptState a = attempt(Optional.of(Doubt.Kind.WITHOUT_NODES), 300);
    assertThat(Sightings.nodesGone(a, List.of(idle))).isEmpty();
    Event event = Sightings.nodesGone(a, List.of(idle, down)).orElseThrow();
    assertThat(((Event.AttemptGivenUp) event).diagnosis().subjects()).containsExactly("n2");
  }

  @Test
  void aJobThatRanBetweenTwoLooksIsToldToHaveStarted() {
    AttemptState a = attempt(Optional.empty(), 0);
    assertThat(Sightings.ended(a, (JobStatus.Ended) status("ended"), NOW))
        .hasExactlyElementsOfTypes(Event.AttemptStarted.class, Event.AttemptEnded.class);
  }

  /**
   * The times in a record, and the times that count, in seconds from now; the job was requested 600
   * s ago. They determine from when a kernel's log is searched, how long jobs take, and how long
   * the daemon waits for evidence.
   */
  @ParameterizedTest(name = "{0}: {1} to {2} is {3} to {4}")
  @Tag("guard")
  @CsvSource({
    "as it was,                 -60,   0,           -60,  0",
    "the beginning of time,     -1795000000, 0,     -600, 0",
    "a hundred years ahead,     -60,   3000000000,  -600, 0",
    "ahead as a whole,          3000,  3060,        -60,  0",
    "a clock that is behind,    -4000, -3940,       -600, -540",
    "behind and too long,       -9000, -3000,       -600, 0",
    "it ends before it begins,  -10,   -70,         -70,  -70",
  })
  void aRecordsTimesAreHeldWithinWhatCanBe(
      String what, long begins, long ends, long begun, long ended) {
    JobStatus.Ended told =
        new JobStatus.Ended(
            new JobEnd(
                JobEnd.State.COMPLETED,
                0,
                Optional.of(NOW.plusSeconds(begins)),
                NOW.plusSeconds(ends),
                JobEnd.Source.EXIT_RECORD),
            List.of("n1"));
    assertThat(Sightings.ended(attempt(Optional.empty(), 0), told, NOW))
        .containsExactly(
            new Event.AttemptStarted(ID, NOW.plusSeconds(begun), List.of("n1")),
            new Event.AttemptEnded(
                ID,
                new JobEnd(
                    JobEnd.State.COMPLETED,
                    0,
                    Optional.of(NOW.plusSeconds(begun)),
                    NOW.plusSeconds(ended),
                    JobEnd.Source.EXIT_RECORD)));
  }

  @Test
  void aDuplicateLeadsToTheJobThatHoldsTheClaim() {
    AttemptState a = attempt(Optional.empty(), 0);
    assertThat(Sightings.duplicated(a, Optional.of(new JobId("8"))))
        .contains(new Event.Submitted(ID, new JobId("8")));
    assertThat(Sightings.duplicated(a, Optional.of(new JobId("7")))).isEmpty();
    assertThat(Sightings.duplicated(a, Optional.empty())).isEmpty();
  }

  /** Otherwise the attempt, and with it the sweep, would wait for its end forever. */
  @Test
  @Tag("guard")
  void aDuplicateOfNobodyIsAJobThatNobodyKnows() {
    AttemptState a = attempt(Optional.of(Doubt.Kind.UNKNOWN), 120);
    JobStatus duplicate =
        new JobStatus.Ended(
            new JobEnd(
                JobEnd.State.DUPLICATE, 75, Optional.of(NOW), NOW, JobEnd.Source.EXIT_RECORD),
            List.of());
    for (Optional<JobId> nobody : List.of(Optional.<JobId>empty(), Optional.of(new JobId("7")))) {
      JobStatus believed = Sightings.believed(a, duplicate, nobody);
      assertThat(believed).isInstanceOf(JobStatus.Unknown.class);
      assertThat(Sightings.doubt(attempt(Optional.empty(), 0), believed))
          .contains(new Event.AttemptDoubted(ID, Doubt.Kind.UNKNOWN));
    }
    assertThat(Sightings.vanished(a, GRACE, NOW)).isPresent();
    assertThat(Sightings.believed(a, duplicate, Optional.of(new JobId("8")))).isEqualTo(duplicate);
    assertThat(Sightings.believed(a, status("ended"), Optional.empty())).isEqualTo(status("ended"));
  }

  private static AttemptState attempt(Optional<Doubt.Kind> kind, int seconds) {
    return new AttemptState(
        ID,
        new AttemptState.SubmissionIntent(
            "ns-night-t0001a1", NOW.minusSeconds(600), Optional.of(new JobId("7")), false, 0),
        new AttemptState.RunState(
            Optional.empty(),
            List.of(),
            new AttemptState.StepProgress(-1, 0, NOW.minusSeconds(600)),
            Optional.empty(),
            kind.map(k -> new Doubt(k, NOW.minusSeconds(seconds)))),
        new AttemptState.Ending(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
        Optional.empty());
  }

  private static JobStatus status(String word) {
    return switch (word) {
      case "unknown" -> new JobStatus.Unknown("gone");
      case "running" -> new JobStatus.Running(NOW.minusSeconds(60), List.of("n1"));
      case "completing" -> new JobStatus.Completing();
      case "queued" -> new JobStatus.Pending("Priority", false);
      case "no-nodes" -> new JobStatus.Pending("ReqNodeNotAvail", true);
      default ->
          new JobStatus.Ended(
              new JobEnd(
                  JobEnd.State.FAILED,
                  1,
                  Optional.of(NOW.minusSeconds(60)),
                  NOW,
                  JobEnd.Source.EXIT_RECORD),
              List.of("n1"));
    };
  }
}
