package io.nightsweep.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * The share of its node that each rank gets.
 *
 * @param cpus 0 where the cluster decides
 * @param gpus 0 for none
 */
public record PerTask(int cpus, int gpus) {
  public static final PerTask UNSAID = new PerTask(0, 0);

  /**
   * Options of {@code sbatch} and {@code srun}; given to both, since a step does not inherit all of
   * them.
   */
  public List<String> slurmOptions() {
    List<String> options = new ArrayList<>();
    if (cpus > 0) {
      options.add("--cpus-per-task=" + cpus);
    }
    if (gpus > 0) {
      options.add("--gpus-per-task=" + gpus);
    }
    return options;
  }
}
