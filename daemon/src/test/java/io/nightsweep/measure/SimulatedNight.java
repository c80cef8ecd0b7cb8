package io.nightsweep.measure;

import io.nightsweep.measure.Observation.Stage;
import io.nightsweep.measure.RacingAdvice.AwaitConfirmation;
import io.nightsweep.measure.RacingAdvice.Conclude;
import io.nightsweep.measure.RacingAdvice.Confirm;
import io.nightsweep.measure.RacingAdvice.Replicate;
import io.nightsweep.measure.RacingAdvice.Screen;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** One night of direct draws: blocks, drift and noise, driven by {@link Racing}. */
final class SimulatedNight {

  private static final String CONTROL = "baseline";
  private static final double SECONDS_PER_JOB = 600;

  /**
   * The properties of the cell.
   *
   * @param effects true log gains, one per profile
   * @param noise standard deviation of a baseline run
   * @param roughness how many times as noisy each profile's run is
   * @param tailDegreesOfFreedom of the t distribution that noise is drawn from, scaled to that
   *     standard deviation; 0 for normal noise
   * @param driftPerJob standard deviation of the baseline's random step from job to job
   * @param driftPerNight linear drift over a hundred jobs
   */
  record World(
      List<Double> effects,
      double noise,
      List<Double> roughness,
      int tailDegreesOfFreedom,
      double driftPerJob,
      double driftPerNight) {}

  private final World world;
  private final RacingPolicy policy;
  private final int budget;
  private final Random random;
  private final List<Observation> runs = new ArrayList<>();
  private final List<ConfirmationPlan> plans = new ArrayList<>();
  private final Deque<List<String>> confirmationBlocks = new ArrayDeque<>();
  private double wander;
  private int blocks;
  private boolean everWrong;

  SimulatedNight(World world, RacingPolicy policy, int budget, long seed) {
    this.world = world;
    this.policy = policy;
    this.budget = budget;
    this.random = new Random(seed * 0x9E3779B97F4A7C15L + 1);
  }

  /** Runs the night and returns its last leaderboard. */
  Leaderboard run() {
    List<String> order = new ArrayList<>();
    for (int i = 0; i < world.effects().size(); i++) {
      order.add("p" + i);
    }
    Collections.shuffle(order, random);
    Deque<String> waiting = new ArrayDeque<>(order);
    block(Stage.SCREENING, List.of(CONTROL, CONTROL, CONTROL));
    while (true) {
      Leaderboard board = board();
      int left = budget - runs.size();
      switch (Racing.advise(board, Set.of(), Racing::mayGain, waiting.size(), left).next()) {
        case Screen screen -> {
          List<String> profiles = new ArrayList<>(screen.contenders());
          while (profiles.size() < policy.blockSize() && !waiting.isEmpty()) {
            profiles.add(waiting.removeFirst());
          }
          screening(profiles, left);
        }
        case Replicate replicate -> screening(replicate.contenders(), left);
        case Confirm confirm -> {
          plans.add(confirm.plan());
          confirmationBlocks.clear();
          confirmationBlocks.addAll(
              BlockOrder.confirmation(
                  confirm.plan().profile(),
                  CONTROL,
                  confirm.plan().runsPerArm(),
                  random.nextLong()));
          block(Stage.CONFIRMATION, confirmationBlocks.removeFirst());
        }
        case AwaitConfirmation await -> {
          if (confirmationBlocks.isEmpty()) {
            return board;
          }
          block(Stage.CONFIRMATION, confirmationBlocks.removeFirst());
        }
        case Conclude end -> {
          return board;
        }
      }
      if (runs.size() >= budget || won()) {
        return board();
      }
    }
  }

  int jobs() {
    return runs.size();
  }

  /** Whether any interval of any look missed the truth. */
  boolean everWrong() {
    return everWrong;
  }

  double effect(String profile) {
    return world.effects().get(number(profile));
  }

  private static int number(String profile) {
    return Integer.parseInt(profile.substring(1));
  }

  private boolean won() {
    return board().standings().stream().anyMatch(s -> s.verdict() instanceof Verdict.Win);
  }

  private Leaderboard board() {
    Leaderboard board = Leaderboard.of(Comparison.of(runs), plans, Map.of(), Map.of(), policy);
    for (Standing standing : board.standings()) {
      everWrong |= !standing.verdict().interval().contains(effect(standing.profile()));
    }
    return board;
  }

  private void screening(List<String> profiles, int left) {
    List<String> fitting = profiles.subList(0, Math.min(profiles.size(), Math.max(1, left - 1)));
    block(Stage.SCREENING, BlockOrder.screening(fitting, CONTROL, 1, random.nextLong()));
  }

  private void block(Stage stage, List<String> order) {
    String block = "b" + blocks++;
    for (String profile : order) {
      if (runs.size() >= budget) {
        return;
      }
      boolean control = profile.equals(CONTROL);
      wander += world.driftPerJob() * random.nextGaussian();
      double drift = wander + world.driftPerNight() * runs.size() / 100.0;
      double effect = control ? 0 : effect(profile);
      double deviation = world.noise() * (control ? 1 : world.roughness().get(number(profile)));
      runs.add(
          new Observation(
              profile,
              control,
              stage,
              block,
              "",
              7 + effect + drift + noise(random, deviation, world.tailDegreesOfFreedom()),
              0.001,
              runs.size() * SECONDS_PER_JOB));
    }
  }

  /** Draws t noise of the given deviation; normal noise for zero degrees of freedom. */
  static double noise(Random random, double deviation, int tailDegreesOfFreedom) {
    double normal = deviation * random.nextGaussian();
    if (tailDegreesOfFreedom == 0) {
      return normal;
    }
    double chiSquare = 0;
    for (int i = 0; i < tailDegreesOfFreedom; i++) {
      chiSquare += Math.pow(random.nextGaussian(), 2);
    }
    return normal * Math.sqrt((tailDegreesOfFreedom - 2) / chiSquare);
  }
}
