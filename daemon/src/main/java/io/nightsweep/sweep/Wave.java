package io.nightsweep.sweep;

import java.util.List;

/**
 * A batch of profiles that is queued together, then reviewed.
 *
 * @param name unique in the plan
 * @param profiles by name; empty for the waves whose profiles the sweep itself chooses ({@link
 *     Kind#STACK}, {@link Kind#RACE}, {@link Kind#CONFIRM}, {@link Kind#CROSS_CHECK}, {@link
 *     Kind#WINNER_EVIDENCE}), and for {@link Kind#NODE_GATE}
 * @param repetitions runs of each profile on each config tag, at least 1; where the sweep chooses,
 *     the most it may spend on one profile
 * @param why one sentence for the report
 */
public record Wave(
    String name, Kind kind, List<String> profiles, When when, int repetitions, String why) {

  /** Waves of profiles that people add; a plan cannot name one of its own so. */
  private static final String ADDED = "added+";

  /** The first check of the nodes, where a plan names none of its own. */
  public static final String NODE_GATE = "node-gate";

  public enum Kind {
    PROBE,
    BASELINE,
    EVIDENCE,
    SCREEN,
    /** Stacks of the singles that lead so far. */
    STACK,
    /** Replicates where they decide. */
    RACE,
    /** Fresh runs of the leader; the only ones whose estimate is published. */
    CONFIRM,
    /** The winner on the other config tags. */
    CROSS_CHECK,
    /** The winner profiled once, to be set beside the evidence of the state as deployed. */
    WINNER_EVIDENCE,
    /** Kernels on every pinned node, compared between the nodes and with earlier checks. */
    NODE_GATE;

    /** Whether such a wave opens, and goes on, only when all results are in. */
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

  /** The {@code number}th wave that a person adds to a running sweep, from 1. */
  static Wave added(int number, List<String> profiles, Command.Origin origin) {
    return new Wave(
        ADDED + number,
        Kind.SCREEN,
        profiles,
        When.ALWAYS,
        1,
        "Added by " + origin.who() + " while the sweep ran.");
  }

  /** Whether a person added it to the running sweep. */
  public boolean isAdded() {
    return name.startsWith(ADDED);
  }
}
