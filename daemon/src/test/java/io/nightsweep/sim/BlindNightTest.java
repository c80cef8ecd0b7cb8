package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Calibration;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.Occurrence;
import io.nightsweep.sweep.Policy;
import io.nightsweep.sweep.SweepSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A/A first: the report says what the baseline's own noise hides before the night is spent. */
@Tag("verdicts")
class BlindNightTest {

  @Test
  void aSweepThatCannotSeeItsTargetSaysSoOnceBeforeItsFirstLookIsOver() {
    List<Event> events = events(Policy.WhenBlind.GO_ON, 0.08);
    List<Integer> said = places(events, BlindNightTest::isWarning);
    assertThat(said).hasSize(1);
    assertThat(said.getFirst())
        .isLessThan(
            places(events, e -> e instanceof Event.WaveClosed w && w.wave().startsWith("screen"))
                .getFirst());
    assertThat(events).noneMatch(e -> e instanceof Event.SweepHalted);
  }

  @Test
  void thePolicyMayHaltItOnceAndAResumeGoesOn() {
    List<Event> events = events(Policy.WhenBlind.HALT, 0.08);
    assertThat(events).filteredOn(e -> e instanceof Event.SweepHalted).hasSize(1);
    assertThat(events).filteredOn(e -> e instanceof Event.SweepFinished).hasSize(1);
  }

  @Test
  void aQuietCellIsNotWarnedOf() {
    assertThat(events(Policy.WhenBlind.HALT, 0.004)).noneMatch(BlindNightTest::isWarning);
  }

  @Test
  void theSmallestGainIsThatOfTheNoiseTheProfilesAndTheJobs() {
    Night.Result night = night(Policy.WhenBlind.GO_ON, 0.004);
    assertThat(Calibration.of(night.state()))
        .hasValueSatisfying(
            c -> {
              assertThat(c.jobs()).isEqualTo(60);
              assertThat(c.profiles()).isEqualTo(8);
              assertThat(c.smallest().getAsDouble()).isBetween(0.004, 0.02);
              assertThat(c.isBlindTo(0.05)).isFalse();
            });
  }

  private static boolean isWarning(Event event) {
    return event instanceof Event.NoticeIssued n
        && n.notice() instanceof Notice.Incident i
        && i.what() instanceof Occurrence.TargetTooSmall t
        && t.targetPercent() == 5;
  }

  private static List<Integer> places(List<Event> events, Predicate<Event> which) {
    return Stream.iterate(0, i -> i < events.size(), i -> i + 1)
        .filter(i -> which.test(events.get(i)))
        .toList();
  }

  private static List<Event> events(Policy.WhenBlind whenBlind, double noise) {
    return night(whenBlind, noise).entries().stream().map(e -> e.event()).toList();
  }

  private static Night.Result night(Policy.WhenBlind whenBlind, double noise) {
    SweepSpec s = Specs.kernels(8, 60);
    Policy p = s.policy();
    Policy policy =
        new Policy(
            p.familyWiseError(),
            p.targetGain(),
            p.worthwhileGain(),
            p.hopelessGain(),
            p.hopelessProfiles(),
            p.equivalenceMargin(),
            p.regressionLimit(),
            p.blockSize(),
            p.baselineRuns(),
            p.confirmRuns(),
            p.maxRunsPerProfile(),
            p.jobsInFlight(),
            p.jobTimeLimit(),
            p.finishRunningOnHalt(),
            p.expectedNoise(),
            whenBlind,
            p.expectedJob(),
            p.plausibleGain(),
            p.answerWithin(),
            p.nodeGate(),
            p.nodeOutlier());
    SweepSpec spec =
        new SweepSpec(
            s.cell(),
            s.workload(),
            s.settings(),
            s.metric(),
            s.configTags().subList(0, 1),
            s.profiles(),
            s.plan(),
            s.budget(),
            policy,
            s.playbook(),
            s.catalogs());
    return Specs.night(spec, Specs.surface(0, noise), Duration.ofMinutes(5), 3).run();
  }
}
