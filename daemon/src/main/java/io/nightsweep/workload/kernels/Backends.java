package io.nightsweep.workload.kernels;

/** What the name of a backend tells. */
public final class Backends {
  /** Of a backend that moves data between hosts' memories. */
  private static final String HOST = "cpu";

  private Backends() {}

  /**
   * Where the data lies that it moves: cpu, cuda or hip. An adapter's library moves hosts' memory,
   * unless its name ends in {@code -cuda} or {@code -hip}.
   */
  public static String deviceKind(String backend) {
    if (backend.equals("nccl") || backend.endsWith("-cuda")) {
      return "cuda";
    }
    return backend.equals("rccl") || backend.endsWith("-hip") ? "hip" : HOST;
  }

  /** Whether each rank has a GPU, whose clock times it. */
  public static boolean isOnGpus(String backend) {
    return !deviceKind(backend).equals(HOST);
  }
}
