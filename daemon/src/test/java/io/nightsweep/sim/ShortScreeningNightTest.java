package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.conductor.Standings;
import io.nightsweep.report.ReportTexts;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.SweepState;
import io.nightsweep.sweep.Trial.Purpose;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nights in which screening and races run eight of fifteen steps. */
@Tag("hours")
class ShortScreeningNightTest {
  private static final List<String> NAMES =
      IntStream.rangeClosed(1, 16).mapToObj(i -> "p" + i).toList();
  private static final Duration JOB = Duration.ofMinutes(10);

  @Test
  void screeningAndRaceAreShortAndFreshRunsAreWhole() throws Exception {
    SweepSpec whole = Specs.screening(NAMES, Optional.of(100), 8);
    Night.Result night = night(whole.screening(8));
    SweepState s = night.state();
    assertThat(Standings.winner(s)).get().extracting(w -> w.profile()).isEqualTo("p7");
    assertThat(lastSteps(s, Set.of(Purpose.CONTROL, Purpose.SCREEN))).containsExactly(7);
    assertThat(lastSteps(s, Set.of(Purpose.CONFIRM, Purpose.CONFIRM_CONTROL))).containsExactly(14);
    double perShort = night(whole.screening(8)).nodeHours() / night.jobs();
    assertThat(perShort).isLessThan(0.95 * night(whole).nodeHours() / night(whole).jobs());
    assertThat(ReportTexts.english(s).replace("\\", ""))
        .contains(
            "steady-state mean over the steps 5 to 14 of each run (its first step is 0), and the"
                + " steps 5 to 7 of short runs")
        .containsPattern(
            "Jobs of two lengths: \\d+ short jobs of 8 steps, 7 min \\d+ s each at the median");
    assertThat(ReportTexts.chinese(s)).contains("作业有两种长度").contains("短运行（基线、筛选、竞速）取第 5 至 7 步");
  }

  /**
   * Whole runs are a tenth faster than short ones; this must count neither as a gain nor as noise.
   */
  @Test
  void aStepBetweenTheLengthsIsNobodysGain() {
    DrawnSurface plain =
        new DrawnSurface(Map.of("p7", new Response.Gain(0.02)), 1000, Weather.usual(0.008), 5);
    SweepSpec spec = Specs.screening(NAMES, Optional.of(100), 8).screening(8);
    SweepState s =
        new Night(spec, new Stepping(plain), Faults.none(), Timing.of(JOB), 5).run().state();
    assertThat(Standings.board(s).noise().total()).isLessThan(0.02);
    assertThat(Standings.ratios(s))
        .isNotEmpty()
        .allSatisfy(r -> assertThat(r.corrected()).isBetween(-0.06, 0.06));
    assertThat(Standings.stragglers(s)).isEmpty();
    assertThat(Standings.winner(s))
        .get()
        .satisfies(w -> assertThat(Standings.publishedLogGain(w)).isBetween(0.005, 0.035));
  }

  /** The jobs reserved for the confirmation are counted at their own length. */
  @Test
  void aNightThatIsLimitedByTimeKeepsWhatWholeRunsTake() {
    SweepSpec spec =
        Specs.screening(NAMES, Optional.empty(), 8).within(Budgets.ofTime(Duration.ofHours(5)));
    for (long seed = 1; seed <= 4; seed++) {
      Night.Result night =
          new Night(
                  spec.screening(8),
                  new DrawnSurface(
                      Map.of("p7", new Response.Gain(0.04)), 1000, Weather.usual(0.008), seed),
                  Faults.none(),
                  Timing.of(JOB),
                  seed)
              .run();
      assertThat(night.elapsed()).isLessThan(Duration.ofHours(5).plus(JOB));
      assertThat(Standings.winner(night.state())).as("seed %d", seed).isPresent();
    }
  }

  private static Night.Result night(SweepSpec spec) {
    return new Night(
            spec,
            new DrawnSurface(Map.of("p7", new Response.Gain(0.04)), 1000, Weather.usual(0.008), 3),
            Faults.none(),
            Timing.of(JOB),
            3)
        .run();
  }

  /** A surface on which whole runs are faster. */
  private record Stepping(DrawnSurface surface) implements AroundSurface {
    @Override
    public double[] steps(SplittableRandom random, int count) {
      double faster = count == 15 ? 0.1 : 0;
      return Arrays.stream(surface.steps(random, count)).map(d -> d + faster).toArray();
    }
  }

  private static Set<Integer> lastSteps(SweepState s, Set<Purpose> purposes) {
    return s.trials().values().stream()
        .filter(t -> purposes.contains(t.trial().purpose()))
        .flatMap(t -> t.measurement().stream())
        .map(Measurement::windowTo)
        .collect(Collectors.toSet());
  }
}
