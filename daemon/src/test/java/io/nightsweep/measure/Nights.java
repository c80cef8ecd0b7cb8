package io.nightsweep.measure;

import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The results of many simulated nights.
 *
 * @param nights how many
 * @param trueWins nights in which the declared winner has an effect
 * @param falseWins nights in which the declared winner has none
 * @param falseClaims nights in which any interval of any look missed the truth
 * @param bias mean published gain less the true one, over true wins
 * @param jobs mean jobs spent
 */
record Nights(int nights, int trueWins, int falseWins, int falseClaims, double bias, double jobs) {

  private record Outcome(
      boolean trueWin, boolean falseWin, boolean falseClaim, double bias, int jobs) {}

  static Nights simulate(SimulatedNight.World world, RacingPolicy policy, int budget, int nights) {
    var outcomes =
        IntStream.range(0, nights)
            .parallel()
            .mapToObj(night -> outcome(world, policy, budget, night))
            .toList();
    return new Nights(
        nights,
        (int) outcomes.stream().filter(Outcome::trueWin).count(),
        (int) outcomes.stream().filter(Outcome::falseWin).count(),
        (int) outcomes.stream().filter(Outcome::falseClaim).count(),
        outcomes.stream()
            .filter(Outcome::trueWin)
            .mapToDouble(Outcome::bias)
            .average()
            .orElse(Double.NaN),
        outcomes.stream().mapToInt(Outcome::jobs).average().orElse(Double.NaN));
  }

  private static Outcome outcome(
      SimulatedNight.World world, RacingPolicy policy, int budget, int seed) {
    SimulatedNight night = new SimulatedNight(world, policy, budget, seed);
    Leaderboard board = night.run();
    boolean trueWin = false;
    boolean falseWin = false;
    double bias = 0;
    for (Standing standing : board.standings()) {
      double effect = night.effect(standing.profile());
      if (standing.verdict() instanceof Verdict.Win) {
        trueWin |= effect > 0;
        falseWin |= effect <= 0;
        bias = standing.confirmation().orElseThrow().logGain() - effect;
      }
    }
    return new Outcome(trueWin, falseWin, night.everWrong(), bias, night.jobs());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "found %s, false winner %s, any false claim %s, bias %+.3f %%, jobs %.1f",
        Rate.of(trueWins, nights),
        Rate.of(falseWins, nights),
        Rate.of(falseClaims, nights),
        100 * bias,
        jobs);
  }
}
