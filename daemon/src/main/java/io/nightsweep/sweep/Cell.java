package io.nightsweep.sweep;

import java.util.List;
import java.util.Optional;

/**
 * What is tuned: a model with one parallelism on one fixed nodelist.
 *
 * @param model the workload's name for the model, such as {@code qwen3-32b} or {@code allreduce}
 * @param parallelism axes that multiply to the number of ranks, such as {@code FSDP=8}
 * @param nodes the pinned nodes, never empty, in Slurm's order; fixed for the whole sweep
 * @param partition the Slurm partition, or empty for the cluster's default
 */
public record Cell(
    String model, String parallelism, List<String> nodes, Optional<String> partition) {
  public Cell {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("a cell needs at least one node");
    }
  }

  public Cell on(List<String> otherNodes) {
    return new Cell(model, parallelism, otherNodes, partition);
  }
}
