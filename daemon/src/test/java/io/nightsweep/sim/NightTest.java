package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Conductor;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Racing;
import io.nightsweep.report.Phrases;
import io.nightsweep.report.Sentences;
import io.nightsweep.sweep.Cause;
import io.nightsweep.sweep.Event.SweepFinished.SweepOutcome;
import io.nightsweep.sweep.Phase;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.TrialState;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class NightTest {
  private static final Duration JOB = Duration.ofMinutes(8);

  @Test
  void aQuietNightFindsTheProfileThatIsBetterAndConfirmsIt() {
    Night.Result night = Specs.night(Specs.kernels(8), Specs.surface(0.05, 0.005), JOB, 7).run();
    assertThat(night.state().phase())
        .isInstanceOfSatisfying(
            Phase.Finished.class,
            f -> {
              assertThat(f.outcome()).isEqualTo(SweepOutcome.WINNER);
              assertThat(Sentences.of(f.ending(), Phrases.EN)).startsWith("p3 wins");
            });
    assertThat(night.jobs()).isEqualTo(night.state().jobsTaken());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void aBadNightEndsWithEveryTrialAccountedForAndNoJobSubmittedTwice(long seed) {
    badNight(seed);
  }

  @Tag("night")
  @ParameterizedTest
  @ValueSource(longs = {9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void moreBadNightsEndSo(long seed) {
    badNight(seed);
  }

  private static void badNight(long seed) {
    Night.Result night =
        new Night(
                Specs.kernels(8, 80),
                Specs.surface(0.05, 0.005),
                Faults.none()
                    .with(Faults.Kind.JOB_FAILS, 0.1)
                    .with(Faults.Kind.JOB_VANISHES, 0.03)
                    .with(Faults.Kind.UNREACHABLE, 0.05)
                    .with(Faults.Kind.ANSWER_LOST, 0.05)
                    .with(Faults.Kind.REFUSED, 0.02)
                    .with(Faults.Kind.CRASH, 0.02),
                JOB,
                seed)
            .run();
    assertThat(night.state().phase()).isInstanceOf(Phase.Finished.class);
    assertThat(night.state().trials().values()).noneMatch(TrialState::isOpen);
    assertThat(night.cluster().jobsByName().values()).allMatch(n -> n == 1);
    assertThat(SweepState.fold(night.entries())).isEqualTo(night.state());
    assertThat(Conductor.decide(night.state(), night.state().lastEventAt())).isEmpty();
  }

  @Test
  void aBudgetThatEndsEarlyLeavesNothingUnaccounted() {
    Night.Result night =
        Specs.night(Specs.kernels(30, 25), Specs.surface(0.0, 0.005), JOB, 3).run();
    assertThat(night.state().phase()).isInstanceOf(Phase.Finished.class);
    assertThat(night.jobs()).isLessThanOrEqualTo(25);
    assertThat(night.state().trials().values()).noneMatch(TrialState::isOpen);
  }

  @Test
  void aDeadlineIsKeptWithTimeForTheConfirmation() {
    Night.Result night =
        Specs.night(Specs.kernels(100), Specs.surface(0.06, 0.005), Duration.ofMinutes(12), 5)
            .run();
    // A job is started if the median one fits; the last may take a little longer.
    assertThat(night.elapsed()).isLessThanOrEqualTo(Duration.ofHours(12).plusMinutes(6));
    assertThat(night.state().confirmations()).isNotEmpty();
    assertThat(night.state().trials().values()).noneMatch(TrialState::isOpen);
  }

  /** After one run each in a noisy night, all candidates may look worse than they are. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void noRaceIsLeftOutWhileAProfileIsWorthAnotherRun(long seed) {
    SweepState s =
        Specs.night(Specs.kernels(3, 60), Specs.surface(0.10, 0.07), Duration.ofMinutes(2), seed)
            .run()
            .state();
    boolean leftOut =
        s.waves().stream()
            .filter(w -> w.wave().kind() == Wave.Kind.RACE)
            .flatMap(w -> w.skipped().stream())
            .anyMatch(new Cause.NotNeeded(Cause.Need.CONTENDER)::equals);
    if (leftOut) {
      assertThat(Standings.board(s).standings())
          .filteredOn(st -> !s.isDropped(st.profile()))
          .filteredOn(st -> !st.profile().equals(Profile.BASELINE_NO_ENV))
          .noneMatch(Racing::mayGain);
    }
  }

  @Test
  void aNightIsToldByItsSeedAlone() {
    assertThat(drawn(11).entries()).isEqualTo(drawn(11).entries());
    assertThat(drawn(11).entries()).isNotEqualTo(drawn(12).entries());
  }

  @Test
  void nodeHoursCountEveryJobAndWaitingInTheQueueDoesNot() {
    Night.Result night = drawn(3);
    double hours = night.nodeHours() / 2;
    assertThat(hours * 60 / night.jobs()).isBetween(JOB.toMinutes() * 0.9, JOB.toMinutes() * 1.1);
    assertThat(night.elapsed().toMinutes() / 60.0).isGreaterThan(hours * 1.1);
  }

  @Test
  void aRunPrintsStepsThatWarmUpAndItsMeasurementIsTheWindowsMean() {
    drawn(3)
        .state()
        .trials()
        .values()
        .forEach(
            t ->
                t.measurement()
                    .ifPresent(
                        m -> {
                          assertThat(m.steps()).hasSize(15);
                          assertThat(m.steps().getFirst().value()).isLessThan(m.value() * 0.95);
                          assertThat(m.value())
                              .isEqualTo(
                                  m.steps().subList(m.windowFrom(), m.windowTo() + 1).stream()
                                      .mapToDouble(step -> step.value())
                                      .average()
                                      .orElseThrow());
                        }));
  }

  private static Night.Result drawn(long seed) {
    Map<String, Response> responses =
        Map.of(
            "p3", new Response.Gain(0.05),
            "p5", new Response.Gain(-0.03),
            "p6", new Response.Fails("oom-gpu", 1));
    return new Night(
            Specs.kernels(8, 80),
            new DrawnSurface(responses, 1000, Weather.usual(0.008), seed),
            Faults.none(),
            new Timing(JOB, 0.1, Duration.ofMinutes(2)),
            seed)
        .run();
  }
}
