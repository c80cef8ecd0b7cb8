package io.nightsweep.sim.peers;

import io.nightsweep.measure.BlockOrder;
import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.ConfirmationPlan;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Observation;
import io.nightsweep.measure.Observation.Stage;
import io.nightsweep.measure.Racing;
import io.nightsweep.measure.RacingAdvice.AwaitConfirmation;
import io.nightsweep.measure.RacingAdvice.Confirm;
import io.nightsweep.measure.RacingAdvice.Move;
import io.nightsweep.measure.RacingPolicy;
import io.nightsweep.measure.Standing;
import io.nightsweep.measure.Verdict;
import io.nightsweep.sim.DrawnSurface;
import io.nightsweep.sim.SimWorkload;
import io.nightsweep.sim.Surface;
import io.nightsweep.sweep.Measurement;
import io.nightsweep.sweep.Metric;
import io.nightsweep.sweep.Profile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * One night on one cluster, with jobs in sequence, for contestants other than the engine: the
 * surface, noise, drift and job times are the simulated cluster's.
 */
final class Shift {
  static final String BASELINE = Profile.BASELINE;
  private static final String SEARCH = "search";
  private static final double TOKENS_PER_SECOND = 1000;

  /**
   * Runs per arm up to the first look, where the search has shown nothing about the pick's gain.
   */
  private static final int FIRST_LOOK = 4;

  private final World world;
  private final DrawnSurface surface;
  private final SplittableRandom random;
  private final List<Observation> whole = new ArrayList<>();
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
    fork.whole.addAll(whole);
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

  /** The log metric of a whole run; empty if the run failed. */
  Optional<Double> run(String profile) {
    return run(profile, Stage.SCREENING, SEARCH);
  }

  private Optional<Double> run(String profile, Stage stage, String block) {
    return begin(profile, m -> m.steps().size(), stage, block).map(m -> Math.log(m.value()));
  }

  /**
   * @param stepsUsed after how many steps the job is ended; a run that is ended early informs
   *     nobody about noise
   */
  Optional<Measurement> begin(String profile, ToIntFunction<Measurement> stepsUsed) {
    return begin(profile, stepsUsed, Stage.SCREENING, SEARCH);
  }

  private Optional<Measurement> begin(
      String profile, ToIntFunction<Measurement> stepsUsed, Stage stage, String block) {
    Profile asked = Profile.of(profile, Map.of(), Map.of(), Map.of());
    double usual = world.timing().draw(random).toMillis() / 3_600_000.0;
    var fails = surface.failure(asked, "");
    if (fails.isPresent()) {
      spend(usual * fails.get().afterFraction());
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
    double startedAtSeconds = hours * 3600;
    double trained = (double) stepsUsed.applyAsInt(m) / m.steps().size();
    spend(usual * (SimWorkload.PREPARATION + (1 - SimWorkload.PREPARATION) * trained));
    if (trained == 1) {
      whole.add(
          new Observation(
              profile,
              profile.equals(BASELINE),
              stage,
              block,
              "",
              Math.log(m.value()),
              Double.NaN,
              startedAtSeconds));
    }
    return Optional.of(m);
  }

  private void spend(double time) {
    hours += time;
    busyHours += time;
    jobs++;
  }

  /** When a confirmation ends without a win. */
  enum Ends {
    /** As the engine's: as soon as the pick hardly gains any more. */
    WITHOUT_PROMISE,
    /** Only after the last look, which finds more and costs more where nothing gains. */
    AFTER_THE_LAST_LOOK
  }

  /**
   * Confirms the pick by the engine's own rule, with the noise of the whole runs of the search, and
   * with the engine's looks at fresh runs. That it begins at all is not the engine's choice, since
   * each search picks by its own rule.
   */
  boolean confirms(String pick, Ends ends) {
    RacingPolicy policy = RacingPolicy.defaults(world.profiles().size());
    List<ConfirmationPlan> plans = new ArrayList<>();
    Deque<List<String>> blocks = new ArrayDeque<>();
    int number = 0;
    while (true) {
      Leaderboard board = Leaderboard.of(Comparison.of(whole), plans, Map.of(), Map.of(), policy);
      if (board.of(pick).filter(s -> s.verdict() instanceof Verdict.Win).isPresent()) {
        return true;
      }
      if (plans.isEmpty()) {
        plan(
            furtherLook(board, pick).orElse(new ConfirmationPlan(pick, FIRST_LOOK)), plans, blocks);
      } else {
        switch (ends) {
          case WITHOUT_PROMISE -> {
            Move next = advised(board, pick);
            if (next instanceof Confirm confirm) {
              plan(confirm.plan(), plans, blocks);
            } else if (!(next instanceof AwaitConfirmation)) {
              return false;
            }
          }
          case AFTER_THE_LAST_LOOK -> {
            if (blocks.isEmpty()) {
              furtherLook(board, pick).ifPresent(plan -> plan(plan, plans, blocks));
            }
          }
        }
      }
      if (blocks.isEmpty()) {
        return false;
      }
      String block = "c" + number++;
      blocks.removeFirst().forEach(profile -> run(profile, Stage.CONFIRMATION, block));
    }
  }

  private void plan(
      ConfirmationPlan plan, List<ConfirmationPlan> plans, Deque<List<String>> blocks) {
    plans.add(plan);
    blocks.addAll(
        BlockOrder.confirmation(plan.profile(), BASELINE, plan.runsPerArm(), random.nextLong()));
  }

  private static Optional<ConfirmationPlan> furtherLook(Leaderboard board, String pick) {
    return board
        .of(pick)
        .flatMap(standing -> Racing.confirmation(standing, board, mostFreshRuns(board)));
  }

  private static Move advised(Leaderboard board, String pick) {
    Set<String> others =
        board.standings().stream()
            .map(Standing::profile)
            .filter(profile -> !profile.equals(pick))
            .collect(Collectors.toSet());
    return Racing.advise(board, others, standing -> false, 0, mostFreshRuns(board)).next();
  }

  private static int mostFreshRuns(Leaderboard board) {
    return 2 * board.policy().maxConfirmationRuns();
  }

  /** The outcomes of a search that ends here, by how its confirmation ends. */
  void confirm(
      Optional<String> pick, int effort, String unit, SortedMap<Setting, Outcome> outcomes) {
    for (Ends ends : Ends.values()) {
      Shift fork = fork();
      String rule =
          switch (ends) {
            case WITHOUT_PROMISE -> "";
            case AFTER_THE_LAST_LOOK -> ", confirmed to the last look";
          };
      outcomes.put(
          new Setting(effort, unit + rule), fork.outcome(pick.filter(p -> fork.confirms(p, ends))));
    }
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
