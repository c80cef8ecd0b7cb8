package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WeatherTest {
  private static final int DRAWS = 100_000;

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 8})
  void aRunsMeanHasTheNoiseThatIsAskedForWhateverItsTailsAndSteps(int tails) {
    Weather weather = new Weather(0.008, tails, 0, 0, 0.006, 0.5);
    DrawnSurface surface = new DrawnSurface(Map.of(), 1000, weather, 1);
    SplittableRandom random = new SplittableRandom(7);
    double[] means = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      double[] steps = weather.steps(random, DrawnSurface.WINDOW_STEPS);
      means[i] = surface.noise(random) + DoubleStream.of(steps).average().orElseThrow();
    }
    assertThat(deviation(means)).isCloseTo(0.008, within(0.0003));
  }

  @Test
  void heavyTailsAreHeavy() {
    assertThat(beyondFour(new Weather(1, 4, 0, 0, 0, 0)))
        .isGreaterThan(10 * beyondFour(Weather.calm(1)) + 0.001);
  }

  @Test
  void successiveStepsResembleEachOther() {
    Weather weather = new Weather(0.01, 0, 0, 0, 0.004, 0.6);
    double[] steps = weather.steps(new SplittableRandom(3), DRAWS);
    double product = 0;
    for (int i = 1; i < DRAWS; i++) {
      product += steps[i] * steps[i - 1] / DRAWS;
    }
    assertThat(deviation(steps)).isCloseTo(0.004, within(0.0001));
    assertThat(product / (0.004 * 0.004)).isCloseTo(0.6, within(0.02));
  }

  @Test
  void theWanderIsTheSameInWhateverOrderItIsAskedForAndGrowsWithTime() {
    Weather weather = new Weather(0, 0, 0.003, 0, 0, 0);
    Wander forwards = new Wander(weather, 5);
    Wander backwards = new Wander(weather, 5);
    double late = backwards.at(9.3);
    double early = backwards.at(1.7);
    assertThat(forwards.at(1.7)).isEqualTo(early);
    assertThat(forwards.at(9.3)).isEqualTo(late);
    double[] ends = new double[4_000];
    for (int seed = 0; seed < ends.length; seed++) {
      ends[seed] = new Wander(weather, seed).at(9);
    }
    assertThat(deviation(ends)).isCloseTo(0.009, within(0.0004));
  }

  @Test
  void whatNoNightCanHaveIsRefused() {
    assertThatThrownBy(() -> new Weather(0.01, 2, 0, 0, 0, 0))
        .hasMessageContaining("degrees of freedom");
    assertThatThrownBy(() -> new Weather(0.01, 0, 0, 0, 0, 1)).hasMessageContaining("correlation");
  }

  private static double beyondFour(Weather weather) {
    SplittableRandom random = new SplittableRandom(11);
    int far = 0;
    for (int i = 0; i < DRAWS; i++) {
      far += Math.abs(weather.draw(random, 0)) > 4 ? 1 : 0;
    }
    return (double) far / DRAWS;
  }

  private static double deviation(double[] values) {
    double mean = DoubleStream.of(values).average().orElseThrow();
    return Math.sqrt(
        DoubleStream.of(values).map(v -> (v - mean) * (v - mean)).average().orElseThrow());
  }
}
