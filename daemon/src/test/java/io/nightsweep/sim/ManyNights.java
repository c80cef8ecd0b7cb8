package io.nightsweep.sim;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Confirmation;
import io.nightsweep.measure.Rate;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.Plan;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The results of many nights, each by the real engine and conductor on a simulated cluster.
 *
 * @param trueWins nights that ended with the one better profile as their winner
 * @param falseWins nights that ended with any other winner
 * @param bias mean published log-gain less the true one, over true wins
 * @param jobs mean jobs of a night
 */
record ManyNights(int nights, int trueWins, int falseWins, double bias, double jobs) {
  private static final String BETTER = "p17";
  private static final Duration JOB = Duration.ofMinutes(4);

  private record Outcome(boolean trueWin, boolean falseWin, double bias, int jobs) {}

  /**
   * Forty profiles at 0.8 % noise.
   *
   * @param gain of one of them
   * @param tails degrees of freedom of t noise; 0 for normal noise
   */
  static ManyNights simulate(double gain, int tails, int jobs, int nights) {
    return simulate(gain, tails, jobs, 0, nights);
  }

  /**
   * The same in parts, each printed with all before it, so that an interrupted run still has a
   * figure.
   *
   * @param part nights between two lines
   */
  static ManyNights told(String what, double gain, int tails, int jobs, int nights, int part) {
    ManyNights sofar = simulate(gain, tails, jobs, 0, Math.min(part, nights));
    System.out.println(what + ": " + sofar);
    for (int from = part; from < nights; from += part) {
      sofar = sofar.plus(simulate(gain, tails, jobs, from, Math.min(part, nights - from)));
      System.out.println(what + ": " + sofar);
    }
    return sofar;
  }

  private ManyNights plus(ManyNights other) {
    int wins = trueWins + other.trueWins;
    double biases = sum(bias, trueWins) + sum(other.bias, other.trueWins);
    return new ManyNights(
        nights + other.nights,
        wins,
        falseWins + other.falseWins,
        biases / wins,
        (sum(jobs, nights) + sum(other.jobs, other.nights)) / (nights + other.nights));
  }

  private static double sum(double mean, int of) {
    return of == 0 ? 0 : mean * of;
  }

  private static ManyNights simulate(double gain, int tails, int jobs, int from, int nights) {
    SweepSpec spec = spec(40, jobs);
    List<Outcome> outcomes =
        IntStream.range(from, from + nights)
            .parallel()
            .mapToObj(night -> outcome(spec, Math.log1p(gain), tails, night))
            .toList();
    return new ManyNights(
        nights,
        (int) outcomes.stream().filter(Outcome::trueWin).count(),
        (int) outcomes.stream().filter(Outcome::falseWin).count(),
        outcomes.stream()
            .filter(Outcome::trueWin)
            .mapToDouble(Outcome::bias)
            .average()
            .orElse(Double.NaN),
        outcomes.stream().mapToInt(Outcome::jobs).average().orElse(Double.NaN));
  }

  private static Outcome outcome(SweepSpec spec, double gain, int tails, int seed) {
    Night.Result night =
        Specs.night(spec, new DriftingSurface(BETTER, gain, 0.008, tails, seed), JOB, seed).run();
    Optional<Standing> winner = Standings.winner(night.state());
    boolean right = gain > 0 && winner.filter(w -> w.profile().equals(BETTER)).isPresent();
    return new Outcome(
        right,
        winner.isPresent() && !right,
        winner.flatMap(Standing::confirmation).map(Confirmation::logGain).orElse(gain) - gain,
        night.jobs());
  }

  static SweepSpec spec(int profiles, int jobs) {
    SweepSpec two = Specs.kernels(profiles, jobs);
    List<String> names =
        two.profiles().stream().filter(p -> !p.isBaseline()).map(Profile::name).toList();
    List<Wave> waves = new ArrayList<>();
    waves.add(Specs.wave("baseline", Wave.Kind.BASELINE, List.of(), Wave.When.ALWAYS, 1, "noise"));
    for (int from = 0; from < profiles; from += 8) {
      List<String> part = names.subList(from, Math.min(profiles, from + 8));
      waves.add(
          Specs.wave("screen-" + from, Wave.Kind.SCREEN, part, Wave.When.ALWAYS, 1, "first look"));
    }
    waves.add(Specs.wave("race", Wave.Kind.RACE, List.of(), Wave.When.IF_CONTENDER, 1, "decide"));
    waves.add(
        Specs.wave("confirm", Wave.Kind.CONFIRM, List.of(), Wave.When.IF_CONTENDER, 1, "fresh"));
    return new SweepSpec(
        two.cell(),
        two.workload(),
        two.settings(),
        two.metric(),
        two.configTags().subList(0, 1),
        two.profiles(),
        new Plan("kernels", waves, List.of()),
        Budgets.of(jobs, Duration.ofHours(12)),
        two.policy(),
        two.playbook(),
        two.catalogs());
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%d nights: found %s, false winner %s, bias %+.3f %%, jobs %.1f",
        nights,
        Rate.of(trueWins, nights),
        Rate.of(falseWins, nights),
        100 * bias,
        jobs);
  }
}
