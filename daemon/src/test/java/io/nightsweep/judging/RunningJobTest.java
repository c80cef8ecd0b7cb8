package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.AttemptState;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Trial;
import io.nightsweep.workload.Workload;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which facts about a running job are journaled. */
class RunningJobTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:00:00Z");
  private static final AttemptId ID = AttemptId.parse("t0001a1");

  /** Otherwise each look at a job of a million steps would journal all of them. */
  @ParameterizedTest
  @Tag("guard")
  @CsvSource({"3, false", "4, true", "2000, true", "2001, false", "200000, false"})
  void whatACandidateShowsIsJournaledWhereItsStepsAreNoFlood(int steps, boolean isShown) {
    Measurement sofar =
        new Measurement(
            1,
            IntStream.range(0, steps)
                .mapToObj(i -> new Measurement.MeasuredStep(i, 1, 1, OptionalDouble.empty()))
                .toList(),
            0,
            steps,
            new TreeMap<>());
    List<Event> events =
        RunningJob.progress(
            new AttemptState(
                ID,
                new AttemptState.SubmissionIntent("ns", NOW, Optional.of(new JobId("7")), false, 0),
                new AttemptState.RunState(
                    Optional.empty(),
                    List.of(),
                    new AttemptState.StepProgress(-1, 0, NOW),
                    Optional.empty(),
                    Optional.empty()),
                new AttemptState.Ending(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                Optional.empty()),
            new Trial(ID.trial(), "screen", 1, Trial.Purpose.SCREEN, "p", "main", 1),
            new Workload.WorkloadReading(
                steps - 1,
                0,
                Optional.empty(),
                Optional.of(sofar),
                new Workload.Effective.AsScheduled()));
    assertThat(events).hasAtLeastOneElementOfType(Event.AttemptProgressed.class);
    assertThat(events.stream().anyMatch(Event.AttemptShown.class::isInstance)).isEqualTo(isShown);
  }
}
