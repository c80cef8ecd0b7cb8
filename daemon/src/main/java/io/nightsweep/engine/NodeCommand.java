package io.nightsweep.engine;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.CommandRunner;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The only commands that may run on a node: fixed argument vectors, behind {@code ssh}. */
enum NodeCommand {
  DMESG("dmesg --time-format=iso"),
  ROCM_SMI("rocm-smi --showtemp --showuse --showxgmierr"),
  NVIDIA_SMI("nvidia-smi --query --display=TEMPERATURE,ECC,UTILIZATION"),
  IBSTAT("ibstat"),
  /** Followed by one module of {@link #NIC_MODULES}. */
  RMMOD("rmmod"),
  /** Followed by one module of {@link #NIC_MODULES}. */
  MODPROBE("modprobe");

  /** Drivers of NICs that carry RDMA; no other module is ever unloaded. */
  static final Set<String> NIC_MODULES =
      Set.of("ionic", "ionic_rdma", "mlx5_core", "mlx5_ib", "bnxt_en", "bnxt_re", "irdma");

  private static final List<String> SSH =
      List.of("ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "--");

  private final String words;

  /**
   * @param words separated by single spaces
   */
  NodeCommand(String words) {
    this.words = words;
  }

  CommandRunner.Output run(CommandRunner runner, String node, Duration timeout)
      throws ClusterUnreachableException, InterruptedException {
    return runner.run(vector(node, List.of()), timeout);
  }

  /**
   * @throws IllegalArgumentException for a module that is not on the list
   */
  CommandRunner.Output run(CommandRunner runner, String node, String module, Duration timeout)
      throws ClusterUnreachableException, InterruptedException {
    if (!NIC_MODULES.contains(module)) {
      throw new IllegalArgumentException(
          "no module '" + module + "' on the list: " + NIC_MODULES.stream().sorted().toList());
    }
    return runner.run(vector(node, List.of(module)), timeout);
  }

  private List<String> vector(String node, List<String> more) {
    return Stream.of(SSH, List.of(node), List.of(words.split(" ")), more)
        .flatMap(List::stream)
        .toList();
  }
}
