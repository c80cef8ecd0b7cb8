package io.nightsweep.conductor;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Diagnosis;
import io.nightsweep.sweep.Disposition;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.HaltCause;
import io.nightsweep.sweep.JobEnd;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Judgement;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial;
import io.nightsweep.sweep.TrialId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TriggersTest {
  private static final Instant NOW = Instant.parse("2026-06-01T22:00:00Z");

  private SweepState s = SweepState.empty();

  TriggersTest() {
    add(new Event.SweepStarted("night", 1, Specs.kernels(6)));
    add(new Event.WaveOpened("screen-1", List.of()));
  }

  @Test
  void fourProfilesInARowThatFailInTheSameWayHalt() {
    for (int i = 1; i <= 3; i++) {
      fails("p" + i, "image-missing");
      assertThat(halt()).isEmpty();
    }
    fails("p4", "image-missing");
    assertThat(halt())
        .get()
        .extracting(Event.SweepHalted::cause)
        .isEqualTo(
            new HaltCause.EveryProfileFails(
                "image-missing", List.of("p1", "p2", "p3", "p4"), Statement.words("as told")));
  }

  /** The end of a pause repairs nothing. */
  @Test
  void onlyTheEndOfAHaltStartsTheCountAnew() {
    for (int i = 1; i <= 3; i++) {
      fails("p" + i, "image-missing");
    }
    commanded(new Command.Pause());
    commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    fails("p4", "image-missing");
    add(halt().orElseThrow());
    commanded(new Command.Resume(Optional.empty(), Optional.empty()));
    fails("p5", "image-missing");
    assertThat(halt()).isEmpty();
  }

  @Test
  void anotherFailureOrAMeasurementStartsTheCountAnew() {
    fails("p1", "image-missing");
    fails("p2", "image-missing");
    fails("p3", "oom-gpu");
    fails("p4", "image-missing");
    fails("p5", "image-missing");
    fails("p6", "image-missing");
    assertThat(halt()).isEmpty();
  }

  /** A run without figures, such as the probe, shows as well that jobs can end well here. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aJobThatEndsWellStartsTheCountAnew(boolean measures) {
    for (int i = 1; i <= 3; i++) {
      fails("p" + i, "image-missing");
    }
    ends(
        "baseline-deployed",
        measures ? Trial.Purpose.CONTROL : Trial.Purpose.PROBE,
        measures
            ? new Judgement.Measured(new Measurement(1, List.of(), 0, 0, new TreeMap<>()))
            : new Judgement.Done(Statement.words("exit 0")));
    fails("p4", "image-missing");
    assertThat(halt()).isEmpty();
  }

  @Test
  void aProfileThatFailsOftenCountsOnce() {
    for (int i = 0; i < 6; i++) {
      fails("p1", "image-missing");
    }
    assertThat(halt()).isEmpty();
  }

  @Test
  void twoNodesThatFailInOneWaveHalt() {
    fails("p1", "node-fail", "n1");
    fails("p2", "node-down", "n1");
    assertThat(halt()).isEmpty();
    fails("p3", "node-fail", "n2");
    assertThat(halt()).as("one candidate's log alone accuses n2").isEmpty();
    fails("p4", "node-fail", "n2");
    assertThat(halt())
        .get()
        .satisfies(
            h -> {
              assertThat(h.cause()).isEqualTo(new HaltCause.NodesFailed(2, "screen-1"));
              assertThat(h.failingNodes()).containsExactly("n1", "n2");
            });
  }

  @Test
  void aBaselineThatIsVoidTwiceWithNothingMeasuredBetweenHalts() {
    ends("p1", Trial.Purpose.SCREEN, new Judgement.Voided(Statement.words("FLAGS differ")));
    ends(
        "baseline-deployed",
        Trial.Purpose.CONTROL,
        new Judgement.Voided(Statement.words("FLAGS differ")));
    assertThat(halt()).isEmpty();
    ends(
        "baseline-deployed",
        Trial.Purpose.CONTROL,
        new Judgement.Voided(Statement.words("FLAGS differ")));
    assertThat(halt())
        .get()
        .extracting(Event.SweepHalted::cause)
        .isEqualTo(
            new HaltCause.NothingAsMeant(
                List.of("baseline-deployed", "p1"), Statement.words("FLAGS differ")));
  }

  @Test
  void fourProfilesThatAreVoidHaltUnlessSomethingMeasures() {
    for (int i = 1; i <= 3; i++) {
      ends("p" + i, Trial.Purpose.SCREEN, new Judgement.Voided(Statement.words("FLAGS differ")));
    }
    ends(
        "baseline-deployed",
        Trial.Purpose.CONTROL,
        new Judgement.Measured(new Measurement(1, List.of(), 0, 0, new TreeMap<>())));
    ends("p4", Trial.Purpose.SCREEN, new Judgement.Voided(Statement.words("FLAGS differ")));
    assertThat(halt()).isEmpty();
    for (int i = 1; i <= 3; i++) {
      ends("p" + i, Trial.Purpose.SCREEN, new Judgement.Voided(Statement.words("FLAGS differ")));
    }
    assertThat(halt()).isPresent();
  }

  private Optional<Event.SweepHalted> halt() {
    return Conductor.decide(s, NOW).stream()
        .map(d -> d instanceof Decision.Append a ? a.event() : null)
        .filter(Event.SweepHalted.class::isInstance)
        .map(Event.SweepHalted.class::cast)
        .findFirst();
  }

  private void commanded(Command command) {
    add(new Event.CommandAccepted(command, new Command.Origin(Command.Origin.Door.CLI, "someone")));
  }

  private void fails(String profile, String failureClass, String... subjects) {
    Diagnosis d =
        new Diagnosis(failureClass, 1, List.of(), Statement.words("as told"), List.of(subjects));
    ends(profile, Trial.Purpose.SCREEN, new Judgement.Failed(d));
  }

  private void ends(String profile, Trial.Purpose purpose, Judgement judgement) {
    TrialId id = s.nextTrial();
    Trial trial = new Trial(id, "screen-1", 1, purpose, profile, "1MiB", 1);
    AttemptId attempt = new AttemptId(id, 1);
    add(new Event.TrialsPlanned("screen-1", List.of(trial)));
    add(new Event.SubmissionIntended(attempt, "job-" + id));
    add(new Event.Submitted(attempt, new JobId(id.toString())));
    add(
        new Event.AttemptEnded(
            attempt,
            new JobEnd(JobEnd.State.FAILED, 1, Optional.of(NOW), NOW, JobEnd.Source.EXIT_RECORD)));
    add(new Event.AttemptJudged(attempt, judgement));
    add(
        new Event.TrialClosed(
            id,
            judgement instanceof Judgement.Measured
                ? new Disposition.Measured(attempt)
                : new Disposition.Failed("as", Statement.words("told"))));
  }

  private void add(Event event) {
    s = s.apply(new Entry(s.seq() + 1, NOW.plusSeconds(s.seq()), event));
  }
}
