package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run that is far slower than others of its profile does not count, whichever profile it is. */
@Tag("hours")
class StragglersTest {
  private final List<Observation> runs = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(4);

  @Test
  void aSlowRunAmongOthersIsLeftOutAndItsProfileKeepsItsGain() {
    blocks(6, 0.05);
    slow(7, 0.12);
    Comparison comparison = Comparison.of(runs);
    assertThat(comparison.stragglers()).containsExactly(runs.get(7));
    assertThat(comparison.estimate("p").orElseThrow().logGain()).isCloseTo(0.05, within(0.005));
    assertThat(comparison.noise().total()).isLessThan(0.01);
  }

  @Test
  void aSlowControlIsLeftOutAlike() {
    blocks(6, 0);
    slow(6, 0.1);
    assertThat(Comparison.of(runs).stragglers()).containsExactly(runs.get(6));
  }

  @Test
  void ofTwoRunsTheSlowerIsAStragglerAndTwoSlowOnesAreThePofilesOwn() {
    blocks(5, 0);
    add("q", -0.1);
    assertThat(Comparison.of(runs).isSuspect("q")).isTrue();
    add("q", 0.0);
    assertThat(Comparison.of(runs).stragglers())
        .singleElement()
        .satisfies(slower -> assertThat(slower.logMetric()).isLessThan(-0.05));
    runs.removeLast();
    add("q", -0.11);
    Comparison twice = Comparison.of(runs);
    assertThat(twice.stragglers()).isEmpty();
    assertThat(twice.isSuspect("q")).isFalse();
    assertThat(twice.estimate("q").orElseThrow().logGain()).isLessThan(-0.09);
  }

  /**
   * Without any straggler two slow runs belong to the profile; with one straggler among twenty runs
   * both may be stragglers, but four may not.
   */
  @Test
  void twoSlowRunsHaveNoIntervalWhereStragglersWereSeen() {
    blocks(10, 0);
    add("q", -0.1);
    add("q", -0.11);
    assertThat(verdict("q")).isInstanceOf(Verdict.Loss.class);
    slow(3, 0.1);
    assertThat(verdict("q"))
        .isInstanceOfSatisfying(
            Verdict.Undecided.class, v -> assertThat(v.interval()).isEqualTo(Interval.UNKNOWN));
    assertThat(verdict("p").interval()).isNotEqualTo(Interval.UNKNOWN);
    add("q", -0.1);
    add("q", -0.11);
    assertThat(verdict("q")).isInstanceOf(Verdict.Loss.class);
  }

  /** Beside a straggler, two runs say nothing if both lie in the range of stragglers. */
  @ParameterizedTest(name = "{0} and {1}: {2}")
  @CsvSource({
    "-0.1, -0.11, false",
    "-0.5, -0.51, true",
    "-0.045, -0.025, true",
    "-0.01, -0.012, true",
  })
  void twoRunsHaveAnIntervalUnlessBothMayBeStragglers(
      double one, double other, boolean hasInterval) {
    blocks(10, 0);
    slow(3, 0.1);
    add("q", one);
    add("q", other);
    assertThat(verdict("q").interval().equals(Interval.UNKNOWN)).isNotEqualTo(hasInterval);
  }

  private Verdict verdict(String profile) {
    return Leaderboard.of(
            Comparison.of(runs), List.of(), Map.of(), Map.of(), RacingPolicy.defaults(40))
        .of(profile)
        .orElseThrow()
        .verdict();
  }

  @Test
  void neitherASmallLossNorAHugeOneIsSuspect() {
    blocks(5, 0);
    add("small", -0.025);
    add("huge", -0.5);
    Comparison comparison = Comparison.of(runs);
    assertThat(comparison.isSuspect("small")).isFalse();
    assertThat(comparison.isSuspect("huge")).isFalse();
  }

  @Test
  void roughNoiseHasNoStragglers() {
    for (int i = 0; i < 40; i++) {
      add(i % 2 == 0 ? "baseline" : "p", 0.06 * random.nextGaussian());
    }
    assertThat(Comparison.of(runs).stragglers()).isEmpty();
  }

  @Test
  void aDriftIsNoStraggler() {
    for (int i = 0; i < 40; i++) {
      add(i % 2 == 0 ? "baseline" : "p", -0.004 * i + 0.005 * random.nextGaussian());
    }
    assertThat(Comparison.of(runs).stragglers()).isEmpty();
  }

  /**
   * A run on a node that was slowed down says nothing as soon as a run on sound nodes is clearly
   * faster, however few runs there are.
   */
  @ParameterizedTest(name = "strained {0}, sound {1}: {2}")
  @CsvSource({
    "-0.05, 0, true",
    "-0.03, 0, false",
    "-0.05, -0.02, false",
    "0.05, 0, false",
    "-0.05, , false"
  })
  void aStrainedRunIsLeftOutIfASoundOneIsFaster(
      double strained, @Nullable Double sound, boolean isLeftOut) {
    add("baseline", 0);
    add("p", strained);
    runs.set(1, strained(runs.get(1)));
    if (sound != null) {
      add("p", sound);
    }
    assertThat(Comparison.of(runs).stragglers())
        .isEqualTo(isLeftOut ? List.of(runs.get(1)) : List.of());
  }

  private static Observation strained(Observation run) {
    return new Observation(
        run.profile(),
        run.control(),
        run.stage(),
        run.block(),
        run.configTag(),
        run.logMetric(),
        run.logStandardError(),
        run.startedAtSeconds(),
        true,
        run.brief());
  }

  private void blocks(int count, double gain) {
    for (int i = 0; i < count; i++) {
      add("baseline", 0.005 * random.nextGaussian());
      add("p", gain + 0.005 * random.nextGaussian());
    }
  }

  private void add(String profile, double log) {
    runs.add(
        new Observation(
            profile,
            profile.equals("baseline"),
            Observation.Stage.SCREENING,
            "b",
            "",
            log,
            Double.NaN,
            600.0 * runs.size()));
  }

  private void slow(int index, double by) {
    runs.set(index, runs.get(index).changed(-by));
  }
}
