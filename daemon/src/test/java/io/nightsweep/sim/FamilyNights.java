package io.nightsweep.sim;

import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Confirmation;
import io.nightsweep.measure.Interval;
import io.nightsweep.measure.Rate;
import io.nightsweep.measure.Standing;
import io.nightsweep.sweep.SweepSpec;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Results of nights under one family of noise: forty profiles, at most one of which gains, 0.8 %
 * noise, jobs of ten minutes, at most a hundred of them, the policy's defaults.
 */
record FamilyNights(NoiseFamily family, double gain, List<Outcome> nights) {
  private static final String BETTER = "p17";
  private static final double NOISE = 0.008;
  private static final int JOBS = 100;

  /**
   * How a night ended.
   *
   * @param bias published log gain of the true winner less the true one
   * @param covered whether the published interval of the winner contains the truth
   * @param shownHold whether every interval on the board contains the truth
   */
  record Outcome(
      boolean found,
      boolean falseWinner,
      double bias,
      boolean covered,
      boolean shownHold,
      boolean carryOverSaid,
      int jobs,
      double nodeHours) {}

  static FamilyNights walk(NoiseFamily family, double gain, int count) {
    return walk(family, gain, count, OptionalInt.empty());
  }

  /**
   * @param screeningSteps of the jobs for screening and races; empty if all are whole
   */
  static FamilyNights walk(NoiseFamily family, double gain, int count, OptionalInt screeningSteps) {
    SweepSpec whole = ManyNights.spec(40, JOBS).within(Budgets.ofJobs(JOBS));
    SweepSpec spec =
        screeningSteps.isPresent() ? whole.screening(screeningSteps.getAsInt()) : whole;
    return new FamilyNights(
        family,
        gain,
        IntStream.range(0, count).parallel().mapToObj(i -> night(spec, family, gain, i)).toList());
  }

  private static Outcome night(SweepSpec spec, NoiseFamily family, double gain, long seed) {
    DrawnSurface surface =
        new DrawnSurface(
            Map.of(BETTER, new Response.Gain(Math.log1p(gain))),
            1000,
            NoiseFamily.weather(NOISE, List.of(family)),
            seed);
    Night.Result night =
        new Night(spec, surface, Faults.none(), Timing.of(Duration.ofMinutes(10)), seed).run();
    Optional<Standing> winner = Standings.winner(night.state());
    double truth = Math.log1p(gain);
    boolean found = gain > 0 && winner.filter(w -> w.profile().equals(BETTER)).isPresent();
    double effect = winner.map(w -> w.profile().equals(BETTER) ? truth : 0).orElse(0.0);
    Optional<Confirmation> fresh = winner.flatMap(Standing::confirmation);
    return new Outcome(
        found,
        winner.isPresent() && !found,
        fresh.map(c -> c.logGain() - effect).orElse(0.0),
        fresh.map(c -> c.interval().contains(effect)).orElse(true),
        Standings.board(night.state()).standings().stream().allMatch(st -> holds(st, truth)),
        Standings.carryOver(night.state()).isShown(),
        night.jobs(),
        night.nodeHours());
  }

  private static boolean holds(Standing standing, double truth) {
    Interval shown = standing.verdict().interval();
    return shown.contains(standing.profile().equals(BETTER) ? truth : 0);
  }

  int found() {
    return (int) nights.stream().filter(Outcome::found).count();
  }

  int falseWinners() {
    return (int) nights.stream().filter(Outcome::falseWinner).count();
  }

  double bias() {
    return nights.stream().filter(Outcome::found).mapToDouble(Outcome::bias).average().orElse(0);
  }

  int carryOverSaid() {
    return (int) nights.stream().filter(Outcome::carryOverSaid).count();
  }

  int falseIntervals() {
    return (int) nights.stream().filter(o -> !o.shownHold()).count();
  }

  static String head() {
    return """
        | family | one gains | nights | found | false winner | bias, points | any shown interval false | carry-over said | jobs | node-hours |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |""";
  }

  /** One row of the table. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "| %s | %s | %d | %s | %s | %s | %s | %s | %.0f | %.1f |",
        family.toString().replace('-', ' '),
        gain > 0 ? String.format(Locale.ROOT, "%+.0f %%", 100 * gain) : "none",
        nights.size(),
        gain > 0 ? Rate.of(found(), nights.size()) : "",
        Rate.of(falseWinners(), nights.size()),
        found() > 0 ? String.format(Locale.ROOT, "%+.2f", 100 * bias()) : "",
        Rate.of(falseIntervals(), nights.size()),
        Rate.of((int) nights.stream().filter(Outcome::carryOverSaid).count(), nights.size()),
        nights.stream().mapToInt(Outcome::jobs).average().orElse(0),
        nights.stream().mapToDouble(Outcome::nodeHours).average().orElse(0));
  }
}
