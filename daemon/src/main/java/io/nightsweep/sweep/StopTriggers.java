package io.nightsweep.sweep;

/**
 * When several failures together halt the sweep.
 *
 * @param sameFailureProfiles this many profiles in a row that failed in the same way, with nothing
 *     measured between them, indicate a fault of the configuration rather than of the profiles; 0:
 *     never
 * @param failedNodesPerWave this many pinned nodes that failed within one wave indicate a fault of
 *     the cluster (procedure: "if multiple nodes fail in the same wave"); 0: never
 */
public record StopTriggers(int sameFailureProfiles, int failedNodesPerWave) {
  public static final StopTriggers DEFAULT = new StopTriggers(4, 2);
}
