package io.nightsweep.workload.kernels;

/** Properties of a backend that follow from its name. */
public final class Backends {
  /** The kind of a backend that moves data between hosts' memories. */
  private static final String HOST = "cpu";

  private Backends() {}

  /**
   * The memory in which the moved data lies: cpu, cuda or hip. An adapter's library moves host
   * memory, unless its name ends in {@code -cuda} or {@code -hip}.
   */
  public static String deviceKind(String backend) {
    if (backend.equals("nccl") || backend.endsWith("-cuda")) {
      return "cuda";
    }
    return backend.equals("rccl") || backend.endsWith("-hip") ? "hip" : HOST;
  }

  /** Whether each rank has a GPU, which then also measures the time. */
  public static boolean isOnGpus(String backend) {
    return !deviceKind(backend).equals(HOST);
  }
}
