package io.nightsweep.sim.peers;

import io.nightsweep.measure.BlockOrder;
import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.Confirmation;
import io.nightsweep.measure.ConfirmationPlan;
import io.nightsweep.measure.Observation;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;

/**
 * One night on one cluster, with jobs in sequence, for contestants other than the engine: the
 * surface, noise, drift and job times are the simulated cluster's.
 */
final class Shift {
  static final String BASELINE = Profile.BASELINE;
  private static final double TOKENS_PER_SECOND = 1000;

  /** The level of the engine's fresh runs at the policy's defaults: two-sided, for all profiles. */
  private static final double LEVEL = 2 * 0.05 * 0.8;

  private final World world;
  private final DrawnSurface surface;
  private final SplittableRandom random;
  private double hours;
  private double busyHours;
  private int jobs;
  private Optional<String> before = Optional.empty();

  private Shift(World world, DrawnSurface surface, SplittableRandom random) {
    this.world = world;
    this.surface = surface;
    this.random = random;
  }

  Shift(World world, long seed) {
    this(
        world,
        new DrawnSurface(world.responses(), TOKENS_PER_SECOND, world.weather(), seed),
        new SplittableRandom(seed ^ 0x5DEECE66DL));
  }

  /** The same night from here on, so that the end of a shorter search can be examined. */
  Shift fork() {
    Shift fork = new Shift(world, surface, random.split());
    fork.hours = hours;
    fork.busyHours = busyHours;
    fork.jobs = jobs;
    fork.before = before;
    return fork;
  }

  SplittableRandom random() {
    return random;
  }

  double nodeHours() {
    return busyHours * world.nodes();
  }

  int jobs() {
    return jobs;
  }

  double startedAtSeconds() {
    return hours * 3600;
  }

  /** The log metric of a whole run; empty if the run failed. */
  Optional<Double> run(String profile) {
    return begin(profile, m -> m.steps().size()).map(m -> Math.log(m.value()));
  }

  /**
   * @param stepsUsed after how many steps the job is ended
   */
  Optional<Measurement> begin(String profile, ToIntFunction<Measurement> stepsUsed) {
    Profile asked = Profile.of(profile, Map.of(), Map.of(), Map.of());
    double whole = world.timing().draw(random).toMillis() / 3_600_000.0;
    var fails = surface.failure(asked, "");
    if (fails.isPresent()) {
      spend(whole * fails.get().afterFraction());
      before = Optional.of(profile);
      return Optional.empty();
    }
    Measurement m =
        SimWorkload.measure(
            surface,
            new Surface.SurfaceRun(asked, hours, before),
            "",
            Metric.Better.HIGHER,
            random.split());
    before = Optional.of(profile);
    double trained = (double) stepsUsed.applyAsInt(m) / m.steps().size();
    spend(whole * (SimWorkload.PREPARATION + (1 - SimWorkload.PREPARATION) * trained));
    return Optional.of(m);
  }

  private void spend(double time) {
    hours += time;
    busyHours += time;
    jobs++;
  }

  /** Runs the pick and the baseline equally often, and judges these runs as the engine does. */
  boolean confirms(String pick, int runsPerArm) {
    List<Observation> fresh = new ArrayList<>();
    int number = 0;
    for (List<String> block :
        BlockOrder.confirmation(pick, BASELINE, runsPerArm, random.nextLong())) {
      String name = "c" + number++;
      for (String profile : block) {
        double at = startedAtSeconds();
        run(profile)
            .ifPresent(
                value ->
                    fresh.add(
                        new Observation(
                            profile,
                            profile.equals(BASELINE),
                            Observation.Stage.CONFIRMATION,
                            name,
                            "",
                            value,
                            Double.NaN,
                            at)));
      }
    }
    return Confirmation.all(
            Comparison.of(fresh),
            List.of(new ConfirmationPlan(pick, runsPerArm)),
            LEVEL,
            runsPerArm)
        .getFirst()
        .wins();
  }

  Outcome confirmed(Optional<String> pick, int runsPerArm) {
    Optional<String> winner = pick.filter(p -> confirms(p, runsPerArm));
    return outcome(winner);
  }

  Outcome outcome(Optional<String> winner) {
    return new Outcome(
        winner.filter(world::isFound).isPresent(),
        winner.filter(w -> world.gain(w) <= 0).isPresent(),
        nodeHours(),
        jobs);
  }

  /**
   * How a night ended.
   *
   * @param found whether the winner truly is one of the best
   * @param falseWinner whether the winner does not gain
   */
  record Outcome(boolean found, boolean falseWinner, double nodeHours, int jobs) {}
}
