package io.nightsweep.judging;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Conductor;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Decision;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.JobId;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.triage.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster clock that is behind the daemon's makes no job look silent. */
@Tag("guard")
class ClocksApartTest {
  private static final Instant NOW = Instant.parse("2026-01-01T22:00:00Z");

  private SweepState state = SweepState.empty();

  @Test
  void aJobIsNotSilentForLongerThanItExists() {
    apply(new Event.SweepStarted("s", 1, Specs.kernels(3)));
    AttemptId attempt = submitted();
    Instant byTheCluster = NOW.minus(Duration.ofMinutes(50));
    apply(new Event.Submitted(attempt, new JobId("7")));
    apply(new Event.AttemptStarted(attempt, byTheCluster, List.of("n1", "n2")));

    Watch watch =
        RunningJob.watch(state, state.attempt(attempt), byTheCluster, true, NOW.plusSeconds(30));

    assertThat(Duration.between(watch.startedAt(), watch.now())).isEqualTo(Duration.ofSeconds(30));
  }

  /** As after a restart under a clock that is ahead of the previous daemon's. */
  @Test
  void norByItsStepsOrItsStartWhereItsFilesAreYounger() {
    Watch watch =
        new Watch(
            NOW,
            NOW.minus(Duration.ofMinutes(89)),
            Optional.of(NOW.minus(Duration.ofMinutes(40))),
            3,
            15,
            false,
            true,
            OptionalDouble.empty());

    assertThat(watch.noOlderThan(Duration.ofSeconds(12)).silence())
        .isEqualTo(Duration.ofSeconds(12));
    assertThat(watch.noOlderThan(Duration.ofHours(2))).isEqualTo(watch);
  }

  private AttemptId submitted() {
    while (true) {
      for (Decision decision : Conductor.decide(state, NOW)) {
        switch (decision) {
          case Decision.Append d -> apply(d.event());
          case Decision.Submit d -> {
            apply(new Event.SubmissionIntended(d.attempt(), "ns-" + d.attempt()));
            return d.attempt();
          }
          default -> throw new AssertionError(decision);
        }
      }
    }
  }

  private void apply(Event event) {
    state = state.apply(new Entry(state.seq() + 1, NOW, event));
  }
}
