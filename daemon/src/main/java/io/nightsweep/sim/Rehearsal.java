package io.nightsweep.sim;

import io.nightsweep.conductor.Conclusion;
import io.nightsweep.conductor.Standings;
import io.nightsweep.measure.Power;
import io.nightsweep.sweep.Budget;
import io.nightsweep.sweep.Hours;
import io.nightsweep.sweep.Profile;
import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.sweep.Wave;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs a sweep through simulated nights. In each night one candidate really gains and the others
 * have no effect, some because they are inert. The gains of the first nights are spread widely;
 * those of later nights are close to the smallest gain that is found in four of five.
 */
public final class Rehearsal {
  /** Nights between two checks of the time, on all processors together. */
  private static final int CHUNK = 16;

  private static final int WIDE_NIGHTS = 3 * CHUNK;
  private static final double[] WIDE = {0.4, 0.6, 0.8, 1, 1.3, 1.7, 2.2, 3};

  /** The fewest meaningful number of nights: one for each gain, since small gains come first. */
  public static final int FEWEST_NIGHTS = WIDE.length;

  private static final double[] NARROW = {0.75, 0.85, 0.95, 1.05, 1.15, 1.3};
  private static final double WANTED_POWER = 0.8;

  /** How many times the given budget a search for a sufficient one may reach. */
  private static final int MOST_TIMES = 32;

  private static final int RESAMPLES = 200;
  private static final double[] SHOWN = {0.5, 0.7, 0.85, 1, 1.2, 1.5};

  private final SweepSpec spec;
  private final Assumptions assumptions;
  private final long seed;
  private final List<String> candidates;
  private final double guess;
  private final List<NightOutcome> outcomes = new ArrayList<>();

  private record NightOutcome(
      double gain,
      boolean found,
      boolean falseWinner,
      int jobs,
      double hours,
      double nodeHours,
      List<String> cut,
      int leftOut,
      List<Pace.Taken> pace) {}

  /**
   * @param now the start for the budget's "until"
   * @throws IllegalArgumentException where the plan screens no candidate
   */
  public Rehearsal(SweepSpec spec, Assumptions assumptions, Instant now, long seed) {
    this.spec = withoutDate(spec, now);
    this.assumptions = assumptions;
    this.seed = seed;
    candidates =
        spec.plan().waves().stream()
            .filter(w -> w.kind() == Wave.Kind.SCREEN)
            .flatMap(w -> w.profiles().stream())
            .filter(p -> !p.equals(Profile.BASELINE) && !p.equals(Profile.BASELINE_NO_ENV))
            .distinct()
            .toList();
    if (candidates.isEmpty()) {
      throw new IllegalArgumentException("the plan screens no candidate");
    }
    guess = guess(assumptions.noise().value());
  }

  /**
   * Simulates this many nights or fewer; the seed determines them.
   *
   * @param enough called with the number of nights so far, after every few of them
   */
  public Rehearsed atMost(int nights, IntPredicate enough) {
    return inChunks(CHUNK, nights, enough);
  }

  /** Like {@link #atMost}, but {@code enough} is called after each {@link #FEWEST_NIGHTS}. */
  public Rehearsed quickly(int nights, IntPredicate enough) {
    return inChunks(FEWEST_NIGHTS, nights, enough);
  }

  /**
   * The smallest gain according to {@link Power}, for too few nights to show it; infinite where
   * these nights found hardly any gain of that size or more.
   */
  public double expectedSmallestGain() {
    List<NightOutcome> large = outcomes.stream().filter(o -> o.gain() >= guess).toList();
    long found = large.stream().filter(NightOutcome::found).count();
    return 3 * found < large.size() ? Double.POSITIVE_INFINITY : Math.expm1(guess);
  }

  /**
   * The smallest gain under another noise than the assumed one.
   *
   * @param smallestGain under the assumed noise
   */
  public double smallestGain(double smallestGain, double noise) {
    return Math.expm1(Math.log1p(smallestGain) * guess(noise) / guess);
  }

  /** Whether the budget suffices for the plan in most nights, and the plan finds gains. */
  public boolean isEnough(Rehearsed rehearsed) {
    return rehearsed.isCarried() && Double.isFinite(expectedSmallestGain());
  }

  private Rehearsed inChunks(int chunk, int nights, IntPredicate enough) {
    while (outcomes.size() < nights && (outcomes.isEmpty() || !enough.test(outcomes.size()))) {
      more(Math.min(chunk, nights - outcomes.size()));
    }
    return result();
  }

  private void more(int nights) {
    int first = outcomes.size();
    double centre = first < WIDE_NIGHTS ? guess : clamp(fit(outcomes).gainOf(WANTED_POWER), guess);
    double[] factors = first < WIDE_NIGHTS ? WIDE : NARROW;
    outcomes.addAll(
        IntStream.range(first, first + nights)
            .parallel()
            .mapToObj(i -> night(i, centre * factors[i % factors.length]))
            .toList());
  }

  private static double clamp(double gain, double guess) {
    return Math.clamp(gain, guess / 4, guess * 6);
  }

  private NightOutcome night(int index, double gain) {
    SplittableRandom random = new SplittableRandom(seed * 7919 + index);
    String better = candidates.get(random.nextInt(candidates.size()));
    long nightSeed = random.nextLong();
    DrawnSurface surface =
        new DrawnSurface(
            responses(better, gain, nightSeed), 1000, assumptions.weather(), nightSeed);
    Night.Result night =
        new Night(
                spec,
                surface,
                assumptions.faults(),
                Timing.of(assumptions.jobDuration()),
                nightSeed)
            .run();
    Optional<Profile> winner =
        Standings.winner(night.state()).map(w -> night.state().profile(w.profile()));
    boolean found =
        winner.filter(w -> w.name().equals(better) || w.parts().contains(better)).isPresent();
    return new NightOutcome(
        gain,
        found,
        winner.isPresent() && !found,
        night.jobs(),
        Hours.of(night.elapsed()),
        night.nodeHours(),
        Conclusion.cut(night.state()),
        Conclusion.leftOut(night.state()).size(),
        Pace.of(night.state()));
  }

  /**
   * The responses of one night: one profile gains; some of the others, among those whose effect the
   * HLO shows, compile to the baseline's program.
   */
  private Map<String, Response> responses(String better, double gain, long nightSeed) {
    SplittableRandom random = new SplittableRandom(~nightSeed);
    Map<String, Response> responses = new HashMap<>();
    for (String candidate : candidates) {
      if (random.nextDouble() < assumptions.inert().value()
          && spec.profile(candidate).filter(spec::isAllInHlo).isPresent()) {
        responses.put(candidate, new Response.Inert());
      }
    }
    responses.put(better, new Response.Gain(gain));
    return responses;
  }

  private Rehearsed result() {
    Logistic curve = fit(outcomes);
    double smallest = curve.gainOf(WANTED_POWER);
    double[] interval = interval();
    double centre = clamp(smallest, guess);
    TreeMap<String, Double> cut = new TreeMap<>();
    outcomes.stream()
        .flatMap(o -> o.cut().stream())
        .forEach(wave -> cut.merge(wave, 1.0 / outcomes.size(), Double::sum));
    return new Rehearsed(
        outcomes.size(),
        Rehearsed.Spread.of(outcomes.stream().map(o -> (double) o.jobs()).toList()),
        Rehearsed.Spread.of(outcomes.stream().map(NightOutcome::hours).toList()),
        Rehearsed.Spread.of(outcomes.stream().map(NightOutcome::nodeHours).toList()),
        Arrays.stream(SHOWN)
            .mapToObj(f -> new Rehearsed.Chance(Math.expm1(f * centre), curve.at(f * centre)))
            .toList(),
        reached(smallest),
        reached(interval[0]),
        reached(interval[1]),
        (int) outcomes.stream().filter(NightOutcome::falseWinner).count(),
        share(outcomes.stream().filter(o -> !o.cut().isEmpty()).count()),
        cut,
        outcomes.stream().map(NightOutcome::leftOut).sorted().toList().get(outcomes.size() / 2),
        Pace.over(
            spec.plan().waves().stream().map(Wave::name).toList(),
            outcomes.stream().map(NightOutcome::pace).toList(),
            outcomes.stream().map(NightOutcome::cut).toList()),
        assumptions);
  }

  /** The result of a search for a sufficient budget. */
  public sealed interface Sought {
    /** With this budget most nights are not cut, and gains are found. */
    record Found(Budget budget) implements Sought {}

    /** No budget up to this many times the given one suffices. */
    record Nowhere(int times) implements Sought {}

    /**
     * The time ran out during the search; a sufficient budget is more than this many times the
     * given one.
     */
    record Unfinished(double times) implements Sought {}
  }

  /**
   * Searches for a budget with which most nights are not cut and find gains. It is the cheapest to
   * within a tenth: all limits are doubled until the budget suffices, then bisected; a limit that
   * suffices as given is kept.
   */
  public Sought enough(BooleanSupplier late) {
    Scale low = Scale.all(1);
    Scale high = Scale.all(2);
    while (!carries(high, late)) {
      if (late.getAsBoolean()) {
        return new Sought.Unfinished(low.jobs());
      }
      low = high;
      high = Scale.all(2 * high.jobs());
      if (high.jobs() > MOST_TIMES) {
        return new Sought.Nowhere(MOST_TIMES);
      }
    }
    while (high.jobs() - low.jobs() > low.jobs() / 10 && !late.getAsBoolean()) {
      Scale between = Scale.all((low.jobs() + high.jobs()) / 2);
      if (carries(between, late)) {
        high = between;
      } else {
        low = between;
      }
    }
    Budget found = more(high);
    for (Scale kept :
        List.of(
            new Scale(high.jobs(), 1, 1),
            new Scale(high.jobs(), 1, high.nodeHours()),
            new Scale(1, high.hours(), high.nodeHours()))) {
      boolean isNew = !more(kept).equals(found) && !more(kept).equals(more(Scale.all(1)));
      if (isNew && carries(kept, late)) {
        return new Sought.Found(more(kept));
      }
    }
    return new Sought.Found(found);
  }

  /** Factors on the given limits. */
  private record Scale(double jobs, double hours, double nodeHours) {
    static Scale all(double times) {
      return new Scale(times, times, times);
    }
  }

  private Budget more(Scale times) {
    return new Budget(
        spec.budget().jobs().map(jobs -> (int) Math.ceil(times.jobs() * jobs)),
        spec.budget()
            .duration()
            .map(d -> Duration.ofMinutes(Math.round(times.hours() * d.toMinutes()))),
        Optional.empty(),
        spec.budget().nodeHours().map(hours -> times.nodeHours() * hours));
  }

  /** Whether the scaled budget suffices; false also where the time ran out first. */
  private boolean carries(Scale times, BooleanSupplier late) {
    if (late.getAsBoolean()) {
      return false;
    }
    Rehearsal rehearsal = new Rehearsal(spec.within(more(times)), assumptions, Instant.EPOCH, seed);
    return rehearsal.isEnough(rehearsal.quickly(2 * FEWEST_NIGHTS, done -> false));
  }

  private double share(long nights) {
    return (double) nights / outcomes.size();
  }

  /** The gain; infinite beyond the gains that were tried, about which nothing is known. */
  private double reached(double logGain) {
    double most = outcomes.stream().mapToDouble(NightOutcome::gain).max().orElse(0);
    return logGain > most ? Double.POSITIVE_INFINITY : Math.expm1(Math.max(0, logGain));
  }

  private static Logistic fit(List<NightOutcome> outcomes) {
    return Logistic.fit(
        outcomes.stream().map(o -> new Logistic.GainedNight(o.gain(), o.found())).toList());
  }

  /** The interval, by resampling the nights. */
  private double[] interval() {
    Random random = new Random(seed);
    double[] gains =
        IntStream.range(0, RESAMPLES)
            .mapToDouble(
                r ->
                    fit(random
                            .ints(outcomes.size(), 0, outcomes.size())
                            .mapToObj(outcomes::get)
                            .toList())
                        .gainOf(WANTED_POWER))
            .sorted()
            .toArray();
    return new double[] {gains[RESAMPLES / 40], gains[RESAMPLES - 1 - RESAMPLES / 40]};
  }

  private double guess(double noise) {
    int jobs = spec.budget().jobs().orElse(Integer.MAX_VALUE);
    long byTime =
        Stream.of(spec.budget().duration(), spec.budget().runningTime(spec.cell().nodes().size()))
            .flatMap(Optional::stream)
            .mapToLong(d -> d.toMillis() / Math.max(1, assumptions.jobDuration().toMillis()))
            .min()
            .orElse(Integer.MAX_VALUE);
    return Math.log1p(
        Power.smallestDetectableGain(
                noise, candidates.size(), (int) Math.min(jobs, byTime), spec.policy().blockSize())
            .orElse(4 * noise));
  }

  private static SweepSpec withoutDate(SweepSpec spec, Instant now) {
    Budget budget = spec.budget();
    Optional<Duration> left = budget.deadline(now).map(end -> Duration.between(now, end));
    return spec.within(new Budget(budget.jobs(), left, Optional.empty(), budget.nodeHours()));
  }
}
