package io.nightsweep.sweep;

/**
 * When failures together say more than each does alone, and the sweep halts.
 *
 * @param sameFailureProfiles so many profiles in a row that failed in the same way, with nothing
 *     measured between, tell of the configuration rather than of the profiles; 0: never
 * @param failedNodesPerWave so many pinned nodes that failed within one wave tell of the cluster
 *     (procedure: "if multiple nodes fail in the same wave"); 0: never
 */
public record StopTriggers(int sameFailureProfiles, int failedNodesPerWave) {
  public static final StopTriggers DEFAULT = new StopTriggers(4, 2);
}
