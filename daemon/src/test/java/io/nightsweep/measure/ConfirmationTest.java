package io.nightsweep.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.measure.Observation.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("slow")
class ConfirmationTest {

  private static final double LEVEL = 0.04;

  private final List<Observation> runs = new ArrayList<>();
  private final List<ConfirmationPlan> plans = new ArrayList<>();
  private static final int MOST = 24;

  private final Random random = new Random(1);
  private int blocks;

  private void run(String profile, Stage stage, String block, double logMetric) {
    runs.add(
        new Observation(
            profile,
            profile.equals("base"),
            stage,
            block,
            "",
            logMetric,
            Double.NaN,
            runs.size() * 600.0));
  }

  private void calibrate(int controls) {
    for (int i = 0; i < controls; i++) {
      run("base", Stage.SCREENING, "calibration", 7 + 0.008 * random.nextGaussian());
    }
  }

  private void confirm(String profile, int runsPerArm, double gain) {
    for (List<String> block :
        BlockOrder.confirmation(profile, "base", runsPerArm, random.nextLong())) {
      blocks++;
      for (String arm : block) {
        double effect = arm.equals(profile) ? gain : 0;
        run(arm, Stage.CONFIRMATION, "c" + blocks, 7 + effect + 0.008 * random.nextGaussian());
      }
    }
  }

  private List<Confirmation> confirmations() {
    return Confirmation.all(Comparison.of(runs), plans, LEVEL, MOST);
  }

  @Test
  void saysNothingBeforeThePlannedRunsAreIn() {
    calibrate(10);
    plans.add(new ConfirmationPlan("a", 6));
    confirm("a", 4, 0.2);
    Confirmation early = confirmations().getFirst();
    assertThat(early.complete()).isFalse();
    assertThat(early.interval()).isEqualTo(Interval.UNKNOWN);
    assertThat(early.wins()).isFalse();
    confirm("a", 2, 0.2);
    Confirmation done = confirmations().getFirst();
    assertThat(done.wins()).isTrue();
    assertThat(done.logGain()).isCloseTo(0.2, within(0.02));
    assertThat(done.runs()).isEqualTo(6);
  }

  @Test
  void runsBeyondThePlanChangeNothing() {
    calibrate(10);
    plans.add(new ConfirmationPlan("a", 4));
    confirm("a", 4, 0.05);
    List<Confirmation> planned = confirmations();
    confirm("a", 4, -0.5);
    assertThat(confirmations()).isEqualTo(planned);
  }

  @Test
  void whatTheProfileShowedBeforeDoesNotCount() {
    calibrate(10);
    for (int i = 0; i < 3; i++) {
      run("base", Stage.SCREENING, "s", 7);
      run("a", Stage.SCREENING, "s", 7.035);
    }
    plans.add(new ConfirmationPlan("a", 4));
    confirm("a", 4, 0);
    assertThat(confirmations().getFirst().logGain()).isCloseTo(0, within(0.012));
  }

  @Test
  void aWinnerHandsItsLevelOnAndALoserDoesNot() {
    calibrate(10);
    plans.add(new ConfirmationPlan("winner", 4));
    confirm("winner", 4, 0.2);
    plans.add(new ConfirmationPlan("loser", 4));
    confirm("loser", 4, -0.2);
    plans.add(new ConfirmationPlan("third", 4));
    confirm("third", 4, 0);
    List<Double> levels = confirmations().stream().map(Confirmation::level).toList();
    double first = GroupSequential.spent(LEVEL * 2 / 3, 4.0 / MOST);
    assertThat(levels.get(0)).isCloseTo(first, within(1e-12));
    assertThat(levels.get(1)).isCloseTo(first * 4 / 3, within(1e-12));
    assertThat(levels.get(2)).isCloseTo(first / 9, within(1e-12));
  }

  @Test
  void aSecondWinnerHandsOnWhatItInheritedToo() {
    calibrate(10);
    for (String winner : List.of("first", "second", "third")) {
      plans.add(new ConfirmationPlan(winner, 4));
      confirm(winner, 4, 0.2);
    }
    List<Double> levels = confirmations().stream().map(Confirmation::level).toList();
    double first = GroupSequential.spent(LEVEL * 2 / 3, 4.0 / MOST);
    assertThat(levels.get(2)).isCloseTo(first * (1 + 1.0 / 3 + 1.0 / 9), within(1e-12));
  }

  @Test
  void anExtensionLooksOnceMore() {
    calibrate(10);
    plans.add(new ConfirmationPlan("a", 4));
    confirm("a", 4, 0.0);
    assertThat(confirmations().getFirst().wins()).isFalse();
    plans.add(new ConfirmationPlan("a", 20));
    Confirmation open = confirmations().getFirst();
    assertThat(open.complete()).isFalse();
    assertThat(open.planned()).isEqualTo(24);
    confirm("a", 20, 0.05);
    Confirmation extended = confirmations().getFirst();
    assertThat(extended.wins()).isTrue();
    assertThat(extended.runs()).isEqualTo(24);
    assertThat(extended.level())
        .isEqualTo(GroupSequential.nominalLevels(LEVEL * 2 / 3, List.of(4, MOST), MOST).getLast());
  }

  /** Looks at four, six, eight and ten runs, and stops as soon as one look wins. */
  @ParameterizedTest(name = "t{0} noise, candidate {1} times as noisy")
  @CsvSource({"0, 1", "4, 1", "4, 3"})
  void allLooksTogetherOpenNoMoreOftenThanOneWould(int tails, double candidateNoise) {
    looksTogether(tails, candidateNoise, 500);
  }

  @Tag("night")
  @ParameterizedTest(name = "t{0} noise, candidate {1} times as noisy")
  @CsvSource({"0, 1", "4, 1", "4, 3"})
  void allLooksTogetherOverManyNights(int tails, double candidateNoise) {
    looksTogether(tails, candidateNoise, 1500);
  }

  private static void looksTogether(int tails, double candidateNoise, int nights) {
    int wins = 0;
    for (int night = 0; night < nights; night++) {
      List<Observation> drawn = new ArrayList<>();
      Random draws = new Random(night);
      for (int i = 0; i < 10; i++) {
        double noise = SimulatedNight.noise(draws, 0.008, tails);
        drawn.add(observation("base", Stage.SCREENING, "s" + i, noise, drawn.size()));
      }
      List<ConfirmationPlan> looks = new ArrayList<>();
      boolean won = false;
      for (int look = 0; look < 4 && !won; look++) {
        looks.add(new ConfirmationPlan("a", look == 0 ? 4 : 2));
        int runs = looks.getLast().runsPerArm();
        for (var order : BlockOrder.confirmation("a", "base", runs, draws.nextLong())) {
          String block = "c" + drawn.size();
          for (String arm : order) {
            double own = arm.equals("a") ? candidateNoise : 1;
            double noise = SimulatedNight.noise(draws, 0.008 * own, tails);
            drawn.add(observation(arm, Stage.CONFIRMATION, block, noise, drawn.size()));
          }
        }
        won = Confirmation.all(Comparison.of(drawn), looks, LEVEL, 10).getFirst().wins();
      }
      wins += won ? 1 : 0;
    }
    assertThat((double) wins / nights).isLessThan(LEVEL / 3 + (candidateNoise > 1 ? 0.02 : 0.01));
  }

  /** Tests the gate alone, with a profile without effect that is always confirmed. */
  @ParameterizedTest(name = "{0} runs, t{1} noise, candidate {2} times as noisy")
  @CsvSource({"3, 0, 1", "5, 0, 1", "5, 4, 1", "5, 3, 1", "8, 3, 1", "5, 0, 3"})
  void opensForNoiseNoMoreOftenThanItsLevel(int runsPerArm, int tails, double candidateNoise) {
    gateAlone(runsPerArm, tails, candidateNoise, 700);
  }

  @Tag("night")
  @ParameterizedTest(name = "{0} runs, t{1} noise, candidate {2} times as noisy")
  @CsvSource({"3, 0, 1", "5, 0, 1", "5, 4, 1", "5, 3, 1", "8, 3, 1", "5, 0, 3"})
  void opensNoMoreOftenOverManyNights(int runsPerArm, int tails, double candidateNoise) {
    gateAlone(runsPerArm, tails, candidateNoise, 2000);
  }

  private static void gateAlone(int runsPerArm, int tails, double candidateNoise, int nights) {
    int wins = 0;
    for (int night = 0; night < nights; night++) {
      List<Observation> drawn = new ArrayList<>();
      Random draws = new Random(night);
      double drift = 0;
      for (int i = 0; i < 8; i++) {
        drift += 0.001 * draws.nextGaussian();
        double noise = SimulatedNight.noise(draws, 0.008, tails);
        drawn.add(observation("base", Stage.SCREENING, "s" + i, drift + noise, drawn.size()));
      }
      int block = 0;
      for (var order : BlockOrder.confirmation("a", "base", runsPerArm, draws.nextLong())) {
        block++;
        for (String arm : order) {
          drift += 0.001 * draws.nextGaussian();
          double own = arm.equals("a") ? candidateNoise : 1;
          double noise = SimulatedNight.noise(draws, 0.008 * own, tails);
          drawn.add(observation(arm, Stage.CONFIRMATION, "c" + block, drift + noise, drawn.size()));
        }
      }
      List<Confirmation> gate =
          Confirmation.all(
              Comparison.of(drawn),
              List.of(new ConfirmationPlan("a", runsPerArm)),
              LEVEL,
              runsPerArm);
      wins += gate.getFirst().wins() ? 1 : 0;
    }
    assertThat((double) wins / nights).isLessThan(LEVEL);
    if (candidateNoise == 1) {
      assertThat((double) wins / nights)
          .as("a third of the level: one side of two, two thirds of it")
          .isLessThan(LEVEL / 3 + 0.008);
    }
  }

  private static Observation observation(
      String profile, Stage stage, String block, double logMetric, int index) {
    return new Observation(
        profile, profile.equals("base"), stage, block, "", logMetric, Double.NaN, index * 600.0);
  }
}
