package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.measure.Observation.Stage;
import io.nightsweep.sweep.Cause;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import org.junit.jupiter.api.Test;

class LeaderboardTest {

  private static final RacingPolicy POLICY = RacingPolicy.defaults(4);

  private static List<Observation> night(int rounds, double noise, double level, long seed) {
    Map<String, Double> gains = Map.of("base", 0.0, "same", 0.0, "slow", -0.1, "fast", 0.1);
    Random random = new Random(seed);
    List<Observation> runs = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      List<String> order = new ArrayList<>(List.of("base", "same", "slow", "fast"));
      Collections.shuffle(order, random);
      for (String profile : order) {
        double gain = gains.getOrDefault(profile, 0.0);
        runs.add(
            new Observation(
                profile,
                profile.equals("base"),
                Stage.SCREENING,
                "b" + round,
                "",
                level + gain + noise * random.nextGaussian(),
                0.001,
                600.0 * runs.size()));
      }
    }
    return runs;
  }

  private static Leaderboard board(List<Observation> runs, Map<String, Cause.OtherResult> unsafe) {
    return Leaderboard.of(Comparison.of(runs), List.of(), unsafe, Map.of(), POLICY);
  }

  private static Verdict verdict(Leaderboard board, String profile) {
    return board.of(profile).orElseThrow().verdict();
  }

  @Test
  void judgesButNeverCrownsWhatWasOnlyScreened() {
    Leaderboard board = board(night(12, 0.003, 7, 1), Map.of());
    assertThat(verdict(board, "slow")).isInstanceOf(Verdict.Loss.class);
    assertThat(verdict(board, "fast"))
        .as("far above the baseline, and still not a win without fresh runs")
        .isInstanceOf(Verdict.Undecided.class);
    assertThat(verdict(board, "fast").interval().low()).isPositive();
    assertThat(board.standings().getFirst().profile()).isEqualTo("fast");
    assertThat(board.standings().getLast().profile()).isEqualTo("slow");
  }

  @Test
  void withinTheMarginIsAVerdictToo() {
    assertThat(verdict(board(night(12, 0.001, 7, 2), Map.of()), "same"))
        .isInstanceOf(Verdict.Neutral.class);
    assertThat(verdict(board(night(3, 0.008, 7, 2), Map.of()), "same"))
        .isInstanceOf(Verdict.Undecided.class);
  }

  /** A stack's only run is compared with what its parts have shown, and not with zero. */
  @Test
  void aStackIsExpectedToDoWhatItsPartsDid() {
    double noise = 0.008;
    List<Observation> runs = night(4, noise, 7, 5);
    double at = 600.0 * runs.size();
    double fast = Comparison.of(runs).estimate("fast").orElseThrow().logGain();
    for (String stack : List.of("fast+same", "fast+broken")) {
      double gain = stack.endsWith("broken") ? -0.05 : fast - noise;
      runs.add(
          new Observation(stack, false, Stage.SCREENING, "b3", "", 7 + gain, 0.001, at += 600));
    }
    Map<String, List<String>> parts =
        Map.of("fast+same", List.of("fast", "same"), "fast+broken", List.of("fast", "broken"));
    Leaderboard board = Leaderboard.of(Comparison.of(runs), List.of(), Map.of(), parts, POLICY);
    Standing stack = board.of("fast+same").orElseThrow();
    assertThat(stack.expectedLogGain())
        .isCloseTo(board.of("fast").orElseThrow().posteriorLogGain(), within(0.002));
    assertThat(stack.posteriorLogGain())
        .as("one run that is a little lower does not put the stack behind its part by as much")
        .isCloseTo(stack.expectedLogGain(), within(noise / 2));
    assertThat(stack.promise()).isGreaterThan(0.99);
    assertThat(board.of("fast+broken").orElseThrow().posteriorLogGain()).isNegative();
  }

  @Test
  void oneRunDecidesNothing() {
    List<Observation> runs = night(12, 0.003, 7, 3);
    runs.add(new Observation("once", false, Stage.SCREENING, "b11", "", 5, Double.NaN, 600.0 * 48));
    Verdict once = verdict(board(runs, Map.of()), "once");
    assertThat(once).isInstanceOf(Verdict.Undecided.class);
    assertThat(once.interval())
        .as("a run that straggles looks like this, so that no interval of one run would hold")
        .isEqualTo(Interval.UNKNOWN);
  }

  @Test
  void noSpeedMakesUpForADepartedLoss() {
    Leaderboard board = board(night(12, 0.003, 7, 1), Map.of("fast", new Cause.LossNotFinite()));
    assertThat(verdict(board, "fast")).isInstanceOf(Verdict.Unsafe.class);
    assertThat(Racing.advise(board, Set.of(), Racing::mayGain, 0, 50).drops())
        .contains(new RacingAdvice.Drop("fast", new Cause.LossNotFinite()));
  }

  @Property(tries = 50)
  void neitherTheUnitOfTheMetricNorTheOrderOfTheListMatters(
      @ForAll @DoubleRange(min = -20, max = 20) double level, @ForAll long seed) {
    List<Observation> shifted = night(4, 0.01, level, seed);
    Collections.shuffle(shifted, new Random(seed));
    Leaderboard one = board(night(4, 0.01, 0, seed), Map.of());
    Leaderboard other = board(shifted, Map.of());
    for (Standing standing : one.standings()) {
      Standing twin = other.of(standing.profile()).orElseThrow();
      assertThat(twin.estimate().logGain()).isCloseTo(standing.estimate().logGain(), within(1e-9));
      assertThat(twin.promise()).isCloseTo(standing.promise(), within(1e-6));
      assertThat(twin.verdict().getClass()).isEqualTo(standing.verdict().getClass());
    }
  }
}
