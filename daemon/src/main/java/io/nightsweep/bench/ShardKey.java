package io.nightsweep.bench;

import io.nightsweep.cluster.PerTask;

/**
 * What the cases of one job have in common.
 *
 * @param deviceKind cpu, cuda or hip
 * @param mode the identity's mode where it has one, else the kernel
 */
record ShardKey(String deviceKind, String backend, int nodes, int ranks, String mode) {
  /** Names files and rows. */
  String id() {
    return deviceKind + "-" + backend + "-n" + nodes + "-r" + ranks + "-" + mode;
  }

  /** One GPU per rank where the backend moves data between GPUs. */
  PerTask perTask(int cpus) {
    return new PerTask(cpus, deviceKind.equals("cpu") ? 0 : 1);
  }
}
