package io.nightsweep.measure;

import io.nightsweep.sweep.Cause;
import java.util.List;

/**
 * What the race should do next.
 *
 * @param drops profiles that need no further run
 * @param next the next move
 */
public record RacingAdvice(List<Drop> drops, Move next) {

  /** A profile that leaves the race, and why. */
  public record Drop(String profile, Cause why) {}

  /** What to spend the next jobs on. */
  public sealed interface Move {}

  /** A block of profiles that have not run yet, with a few contenders beside them. */
  public record Screen(List<String> contenders) implements Move {
    public Screen {
      contenders = List.copyOf(contenders);
    }
  }

  /** A block with one more run of each contender, the most promising first. */
  public record Replicate(List<String> contenders) implements Move {
    public Replicate {
      contenders = List.copyOf(contenders);
    }
  }

  /** Fresh runs of the leader, by a plan that is recorded before they begin. */
  public record Confirm(ConfirmationPlan plan) implements Move {}

  /** Waits for the planned runs of a confirmation. */
  public record AwaitConfirmation(String profile) implements Move {}

  /** Ends the race: no further job of this night could change a verdict. */
  public record Conclude(String reason) implements Move {}

  public RacingAdvice {
    drops = List.copyOf(drops);
  }
}
