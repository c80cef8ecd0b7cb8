package io.nightsweep.sweep;

import java.util.List;

/**
 * A batch of profiles that is queued together, then reviewed.
 *
 * @param name unique in the plan
 * @param profiles by name; empty if the sweep itself chooses the profiles ({@link Kind#STACK},
 *     {@link Kind#RACE}, {@link Kind#CONFIRM}, {@link Kind#CROSS_CHECK}, {@link
 *     Kind#WINNER_EVIDENCE}), and for {@link Kind#NODE_GATE}
 * @param repetitions runs of each profile on each config tag, at least 1; if the sweep chooses the
 *     profiles, the most runs for one profile
 * @param why for the report; {@link Statement#NONE} if nobody gave a reason
 */
public record Wave(
    String name, Kind kind, List<String> profiles, When when, int repetitions, Statement why) {

  /** Name prefix of waves of profiles that people add; a plan cannot use it. */
  private static final String ADDED = "added+";

  /** The name of the first node check if the plan does not name one. */
  public static final String NODE_GATE = "node-gate";

  public enum Kind {
    PROBE,
    BASELINE,
    EVIDENCE,
    SCREEN,
    /** Stacks of the leading single profiles. */
    STACK,
    /** Replicates for the profiles that are still undecided. */
    RACE,
    /** Fresh runs of the leader; only their estimates are published. */
    CONFIRM,
    /** The winner on the other config tags. */
    CROSS_CHECK,
    /** One profiled run of the winner, for comparison with the evidence of the deployed state. */
    WINNER_EVIDENCE,
    /** Kernels on every pinned node, compared between the nodes and with earlier checks. */
    NODE_GATE;

    /** Whether waves of this kind open and continue only when all results are in. */
    public boolean choosesByResults() {
      return switch (this) {
        case STACK, RACE, CONFIRM, CROSS_CHECK, WINNER_EVIDENCE, NODE_GATE -> true;
        case PROBE, BASELINE, EVIDENCE, SCREEN -> false;
      };
    }
  }

  public enum When {
    ALWAYS,
    /** Skipped once the policy's target gain is reached. */
    UNTIL_TARGET_MET,
    /** Skipped while no profile is ahead of the baseline. */
    IF_CONTENDER,
    /** Skipped unless a winner is confirmed. */
    IF_WINNER
  }

  public Wave {
    profiles = List.copyOf(profiles);
  }

  /** The {@code number}th wave, from 1, that a person adds to a running sweep. */
  static Wave added(int number, List<String> profiles, Command.Origin origin) {
    return new Wave(
        ADDED + number,
        Kind.SCREEN,
        profiles,
        When.ALWAYS,
        1,
        Statement.phrase("why-added", origin.who()));
  }

  /** Whether a person added the wave to the running sweep. */
  public boolean isAdded() {
    return name.startsWith(ADDED);
  }
}
