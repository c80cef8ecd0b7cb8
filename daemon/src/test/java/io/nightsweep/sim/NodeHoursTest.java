package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.report.Progress;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A budget of node-hours ends a sweep once its jobs have used that much of the nodes. */
@Tag("people")
@Tag("slow")
class NodeHoursTest {
  private static final Duration JOB = Duration.ofMinutes(8);

  /** On the two nodes. */
  private static final double A_JOB = 2 * JOB.toMinutes() / 60.0;

  private static SweepSpec spec(double nodeHours) {
    return Specs.kernels(8)
        .within(
            new Budget(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(nodeHours)));
  }

  private static Night night(double nodeHours) {
    return Specs.night(spec(nodeHours), Specs.surface(0.05, 0.005), JOB, 3);
  }

  @ParameterizedTest
  @ValueSource(doubles = {2, 6, 100})
  void jobsTakeNoMoreThanTheBudgetHolds(double nodeHours) {
    Night.Result night = night(nodeHours).run();
    SweepState s = night.state();
    assertThat(s.isFinished()).isTrue();
    // Jobs take slightly more or less time than the usual one.
    assertThat(night.nodeHours()).isLessThanOrEqualTo(nodeHours + A_JOB / 2);
    assertThat(s.nodeTime(s.lastEventAt()).toMinutes() / 60.0)
        .isBetween(0.9 * night.nodeHours(), 1.1 * night.nodeHours());
    boolean carriesAll = nodeHours == 100;
    assertThat(Conclusion.cut(s).isEmpty()).isEqualTo(carriesAll);
    if (!carriesAll) {
      assertThat(night.nodeHours()).isGreaterThan(nodeHours / 2);
    }
    assertThat(Progress.of(s, s.lastEventAt()).spentNodeHours().orElseThrow())
        .matches("\\d+(?:\\.\\d+)? of %.0f node-hours".formatted(nodeHours));
  }

  @Test
  void aPersonGivesMoreNodeHoursAndTheSweepGoesOn() {
    Night night = night(2);
    night.told(
        s ->
            s.jobsTaken() > 3 && s.spec().budget().nodeHours().equals(Optional.of(2.0))
                ? Optional.of(
                    new Command.SetBudget(Optional.empty(), Optional.empty(), Optional.of(100.0)))
                : Optional.empty());
    assertThat(Conclusion.cut(night.run().state())).isEmpty();
  }

  @Test
  void aRehearsalNamesTheNodeHoursThatWouldDo() {
    SweepSpec spec = spec(5);
    Rehearsal rehearsal =
        new Rehearsal(
            spec,
            Assumptions.of(spec, List.of(), Optional.of(0.005), Optional.of(JOB)),
            Instant.EPOCH,
            1);
    Rehearsed rehearsed = rehearsal.quickly(16, nights -> false);
    assertThat(rehearsed.notDone()).isNotEmpty();
    assertThat(rehearsed.nodeHours().high()).isLessThanOrEqualTo(5 + A_JOB);
    assertThat(rehearsal.enough(() -> false))
        .isInstanceOfSatisfying(
            Rehearsal.Sought.Found.class,
            found -> assertThat(found.budget().nodeHours().orElseThrow()).isBetween(5.4, 10.1));
  }
}
