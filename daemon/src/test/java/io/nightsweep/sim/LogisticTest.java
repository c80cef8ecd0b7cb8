package io.nightsweep.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogisticTest {
  @Test
  void findsTheCurveThatTheDrawsWereMadeFrom() {
    SplittableRandom random = new SplittableRandom(4);
    Logistic truth = new Logistic(-4, 300);
    List<Logistic.GainedNight> points =
        IntStream.range(0, 20_000)
            .mapToObj(
                i -> {
                  double gain = 0.03 * random.nextDouble();
                  return new Logistic.GainedNight(gain, random.nextDouble() < truth.at(gain));
                })
            .toList();
    Logistic fit = Logistic.fit(points);
    assertThat(fit.gainOf(0.8)).isCloseTo(truth.gainOf(0.8), within(0.0005));
    assertThat(fit.at(truth.gainOf(0.5))).isCloseTo(0.5, within(0.02));
  }

  @Test
  void staysFiniteWhereAllOrNoneWereFound() {
    for (boolean found : new boolean[] {true, false}) {
      Logistic fit =
          Logistic.fit(
              IntStream.range(1, 40)
                  .mapToObj(i -> new Logistic.GainedNight(i / 1e3, found))
                  .toList());
      assertThat(fit.level()).isFinite();
      assertThat(fit.slope()).isFinite();
      assertThat(fit.at(0.02)).isBetween(found ? 0.9 : 0.0, found ? 1.0 : 0.1);
    }
  }
}
