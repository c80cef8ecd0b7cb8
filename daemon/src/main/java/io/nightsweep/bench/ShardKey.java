package io.nightsweep.bench;

/**
 * What cases of one job have in common.
 *
 * @param deviceKind cpu, cuda or hip
 * @param mode the identity's mode where it has one, else the kernel
 */
record ShardKey(String deviceKind, String backend, int nodes, int ranks, String mode) {
  /** Names files and rows. */
  String id() {
    return deviceKind + "-" + backend + "-n" + nodes + "-r" + ranks + "-" + mode;
  }

  /**
   * @throws IllegalArgumentException for a backend that no device kind is declared for
   */
  static String deviceKindOf(String backend) {
    return switch (backend) {
      case "mpi" -> "cpu";
      case "nccl" -> "cuda";
      case "rccl" -> "hip";
      default -> throw new IllegalArgumentException("no backend '" + backend + "'");
    };
  }
}
