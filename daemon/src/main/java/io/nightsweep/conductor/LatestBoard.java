package io.nightsweep.conductor;

import io.nightsweep.measure.Comparison;
import io.nightsweep.measure.ConfirmationPlan;
import io.nightsweep.measure.Leaderboard;
import io.nightsweep.measure.Observation;
import io.nightsweep.measure.RacingPolicy;
import java.util.List;
import java.util.Map;

/**
 * The leaderboard that was drawn up last in this thread, for {@code decide} is asked several times
 * before another run is in. What it answers depends on the inputs alone.
 */
final class LatestBoard {
  private static final ThreadLocal<LatestBoard> LATEST = new ThreadLocal<>();

  private final Inputs inputs;
  private final Leaderboard board;

  private LatestBoard(Inputs inputs) {
    this.inputs = inputs;
    board =
        Leaderboard.of(
            Comparison.of(inputs.runs()), inputs.plans(), inputs.unsafe(), inputs.policy());
  }

  record Inputs(
      List<Observation> runs,
      List<ConfirmationPlan> plans,
      Map<String, String> unsafe,
      RacingPolicy policy) {}

  static Leaderboard of(Inputs inputs) {
    LatestBoard latest = LATEST.get();
    if (latest == null || !latest.inputs.equals(inputs)) {
      latest = new LatestBoard(inputs);
      LATEST.set(latest);
    }
    return latest.board;
  }
}
