package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.measure.Observation.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ComparisonTest {

  private final List<Observation> runs = new ArrayList<>();

  private void run(String profile, String block, double logMetric) {
    run(profile, block, logMetric, false);
  }

  private void run(String profile, String block, double logMetric, boolean brief) {
    runs.add(
        new Observation(
            profile,
            profile.equals("base"),
            Stage.SCREENING,
            block,
            "dense",
            logMetric,
            0.001,
            runs.size() * 600.0,
            false,
            brief));
  }

  /** Whole runs are 5 % faster than short ones, for the candidate and the baseline alike. */
  @Test
  void shortRunsAndWholeOnesAreEachComparedWithTheirOwnBaseline() {
    for (int i = 0; i < 6; i++) {
      run("base", "b" + i, 7 + 0.001 * (i % 2), true);
      run("a", "b" + i, 7.02 - 0.001 * (i % 2), true);
      run("only" + i, "b" + i, 7.01, true);
    }
    Comparison brief = Comparison.of(runs);
    run("a", "c", 7.07, false);
    run("late", "c", 7.07, false);
    Comparison waiting = Comparison.of(runs);
    assertThat(waiting.estimate("late")).as("it has no baseline yet").isEmpty();
    assertThat(waiting.estimate("a")).isEqualTo(brief.estimate("a"));
    assertThat(waiting.baselineAt(0, false)).isNaN();
    run("base", "c", 7.05, false);
    run("base", "d", 7.051, false);
    run("a", "d", 7.069, false);
    Comparison both = Comparison.of(runs);
    assertThat(both.estimate("a").orElseThrow().logGain()).isCloseTo(0.019, within(2e-3));
    assertThat(both.estimate("a").orElseThrow().runs()).isEqualTo(8);
    assertThat(both.estimate("late").orElseThrow().logGain()).isCloseTo(0.02, within(2e-3));
    assertThat(both.estimate("only1").orElseThrow().logGain()).isCloseTo(0.01, within(2e-3));
    assertThat(both.noise().total()).as("the step between them is no noise").isLessThan(0.002);
    assertThat(both.baselineAt(0, false) - both.baselineAt(0, true)).isCloseTo(0.05, within(2e-3));
    assertThat(both.ratios())
        .allSatisfy(r -> assertThat(r.corrected()).isBetween(0.005, 0.025))
        .allSatisfy(r -> assertThat(r.raw()).isBetween(0.005, 0.025));
    assertThat(both.stragglers()).isEmpty();
  }

  @Test
  void withoutDriftItIsTheDifferenceOfMeans() {
    double[] noise = {0.001, -0.001, -0.002, 0.002, 0.001, -0.001};
    for (int i = 0; i < 6; i++) {
      run("base", "b" + i, 7 + noise[i]);
      run("a", "b" + i, 7.03 - noise[(i + 2) % 6]);
    }
    Estimate estimate = Comparison.of(runs).estimate("a").orElseThrow();
    assertThat(estimate.logGain()).isCloseTo(0.03, within(2e-4));
    assertThat(estimate.runs()).isEqualTo(6);
  }

  @Test
  void driftBetweenControlsIsTakenOffAndShown() {
    Random random = new Random(3);
    for (int i = 0; i < 41; i++) {
      double drift = 0.002 * i;
      run(i % 4 == 0 ? "base" : "p" + i, "b" + i / 8, 7 + drift + 0.0005 * random.nextGaussian());
    }
    Comparison comparison = Comparison.of(runs);
    assertThat(comparison.noise().driftRange()).isCloseTo(0.08, within(0.01));
    assertThat(comparison.estimates().values())
        .filteredOn(estimate -> Math.abs(estimate.logGain()) > 0.003)
        .isEmpty();
    assertThat(comparison.ratios())
        .allSatisfy(
            ratio ->
                assertThat(ratio.raw() + ratio.correction())
                    .isCloseTo(ratio.corrected(), within(1e-12)));
    assertThat(comparison.ratios().getLast().correction()).isNotZero();
  }

  @Test
  void noiseIsPooledOverAllRepeats() {
    Random random = new Random(11);
    for (int block = 0; block < 25; block++) {
      run("base", "b" + block, 7 + 0.01 * random.nextGaussian());
      for (int p = 0; p < 5; p++) {
        run("p" + p, "b" + block, 7 + 0.02 * p + 0.01 * random.nextGaussian());
      }
    }
    Noise noise = Comparison.of(runs).noise();
    assertThat(noise.degreesOfFreedom()).isEqualTo(144);
    assertThat(noise.total()).isCloseTo(0.01, within(0.0015));
    assertThat(noise.withinRun()).isCloseTo(0.001, within(1e-9));
  }

  @Test
  void knowsWhatItDoesNotKnow() {
    run("a", "b0", 7);
    assertThat(Comparison.of(runs).estimates()).isEmpty();
    run("base", "b0", 7);
    Comparison comparison = Comparison.of(runs);
    assertThat(comparison.noise().known()).isFalse();
    assertThat(comparison.estimate("a").orElseThrow().standardError()).isNaN();
    Leaderboard board =
        Leaderboard.of(comparison, List.of(), Map.of(), Map.of(), RacingPolicy.defaults(40));
    assertThat(board.standings().getFirst().verdict())
        .isEqualTo(new Verdict.Undecided(Interval.UNKNOWN, 1));
  }

  @Test
  void configTagsAreNeverMixed() {
    run("base", "b0", 7);
    runs.add(new Observation("base", true, Stage.SCREENING, "b0", "sparse", 7, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> Comparison.of(runs));
  }
}
