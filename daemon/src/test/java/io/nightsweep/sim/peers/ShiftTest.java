package io.nightsweep.sim.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.Faults;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Trial;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Contestants get the engine's conditions and pay its costs. */
@Tag("slow")
class ShiftTest {
  private static final World WORLD = World.synthetic(0.02);

  @Test
  void runsCostWhatTheyCostOnTheSimulatedCluster() {
    Night.Result night = night(1);
    int failed = (int) night.state().attempts().filter(a -> a.measurement().isEmpty()).count();
    double hours = night.nodeHours() / WORLD.nodes();
    Shift shift = new Shift(WORLD, 1);
    IntStream.range(0, night.jobs() - failed).forEach(i -> shift.run("p2"));
    IntStream.range(0, failed).forEach(i -> assertThat(shift.run("p13")).isEmpty());
    assertThat(shift.jobs()).isEqualTo(night.jobs());
    assertThat(shift.nodeHours() / WORLD.nodes()).isCloseTo(hours, within(0.03 * hours));
  }

  @Test
  void runsScatterAsTheyDoOnTheSimulatedCluster() {
    scatter(24, 0.3);
  }

  @Test
  @Tag("night")
  void runsScatterAsTheyDoOverManyNights() {
    scatter(160, 0.12);
  }

  private static void scatter(int nights, double tolerance) {
    List<Double> there = new ArrayList<>();
    List<Double> here = new ArrayList<>();
    for (int seed = 0; seed < nights; seed++) {
      differences(controls(night(seed)), there);
      Shift shift = new Shift(WORLD, seed);
      differences(
          IntStream.range(0, 20).mapToObj(i -> shift.run(Shift.BASELINE).orElseThrow()).toList(),
          here);
    }
    assertThat(deviation(here)).isCloseTo(deviation(there), within(tolerance * deviation(there)));
  }

  @Test
  void aJobThatIsEndedEarlyCostsLess() {
    Shift whole = new Shift(WORLD, 3);
    whole.run("p2");
    Shift pruned = new Shift(WORLD, 3);
    Optional<Measurement> run = pruned.begin("p2", m -> 3);
    assertThat(run).isPresent();
    // Two fifths of a job pass before its first step.
    assertThat(pruned.nodeHours() / whole.nodeHours()).isCloseTo(0.4 + 0.6 / 5, within(1e-6));
  }

  /** Both by the engine's looks; without promise it ends sooner, and misses more. */
  @ParameterizedTest
  @CsvSource({"WITHOUT_PROMISE, 164", "AFTER_THE_LAST_LOOK, 178"})
  void whatGainsIsConfirmedAndWhatDoesNotIsNot(Shift.Ends ends, int atLeast) {
    int right = 0;
    int wrong = 0;
    for (int seed = 0; seed < 200; seed++) {
      right += new Shift(WORLD, seed).confirms("p17", ends) ? 1 : 0;
      wrong += new Shift(WORLD, seed).confirms("p2", ends) ? 1 : 0;
    }
    assertThat(right).isGreaterThanOrEqualTo(atLeast);
    assertThat(wrong).isLessThanOrEqualTo(14);
  }

  @Test
  void aConfirmationLooksAtFreshRunsAsTheyCome() {
    Shift clear = new Shift(World.synthetic(0.2), 1);
    assertThat(clear.confirms("p17", Shift.Ends.AFTER_THE_LAST_LOOK)).isTrue();
    assertThat(clear.jobs()).as("four runs of each arm").isEqualTo(8);
    Shift nothing = new Shift(WORLD, 1);
    assertThat(nothing.confirms("p2", Shift.Ends.AFTER_THE_LAST_LOOK)).isFalse();
    assertThat(nothing.jobs()).as("ten runs of each arm").isEqualTo(20);
  }

  @Test
  void withTheNoiseOfTheSearchFewerFreshRunsSuffice() {
    int alone = 0;
    int searched = 0;
    for (int seed = 0; seed < 100; seed++) {
      Shift shift = new Shift(WORLD, seed);
      shift.confirms("p17", Shift.Ends.AFTER_THE_LAST_LOOK);
      alone += shift.jobs();
      shift = new Shift(WORLD, seed);
      for (int i = 0; i < 40; i++) {
        shift.run(i % 2 == 0 ? "p2" : "p3");
      }
      shift.confirms("p17", Shift.Ends.AFTER_THE_LAST_LOOK);
      searched += shift.jobs() - 40;
    }
    assertThat(searched).isLessThan(alone);
  }

  @Test
  void moreRunsOfEachFindMore() {
    int few = 0;
    int many = 0;
    for (int seed = 0; seed < 160; seed++) {
      var night = new EqualRuns(false).night(WORLD, seed, 10);
      few += isFound(night, 2) ? 1 : 0;
      many += isFound(night, 10) ? 1 : 0;
    }
    assertThat(many).isGreaterThan(few).isGreaterThanOrEqualTo(36);
  }

  private static boolean isFound(SortedMap<Setting, Shift.Outcome> night, int runs) {
    Shift.Outcome outcome = night.get(new Setting(runs, "runs of each"));
    return outcome != null && outcome.found();
  }

  private static Night.Result night(long seed) {
    return new Night(
            Specs.screening(WORLD.profiles(), Optional.of(60), WORLD.nodes()),
            new DrawnSurface(WORLD.responses(), 1000, WORLD.weather(), seed),
            Faults.none(),
            WORLD.timing(),
            seed)
        .run();
  }

  private static List<Double> controls(Night.Result night) {
    return night.state().trials().values().stream()
        .filter(t -> t.trial().purpose() == Trial.Purpose.CONTROL)
        .flatMap(t -> t.measurement().stream())
        .map(m -> Math.log(m.value()))
        .toList();
  }

  private static void differences(List<Double> values, List<Double> into) {
    for (int i = 1; i < values.size(); i += 2) {
      into.add(values.get(i) - values.get(i - 1));
    }
  }

  private static double deviation(List<Double> values) {
    return Math.sqrt(values.stream().mapToDouble(v -> v * v).average().orElseThrow());
  }
}
