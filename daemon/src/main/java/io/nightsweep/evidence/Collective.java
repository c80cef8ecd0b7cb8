package io.nightsweep.evidence;

import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collectives of one form in one computation of a compiled module.
 *
 * @param name the first of them
 * @param count how many instructions of this form there are
 * @param computation that contains them
 * @param bytes of the result on one device, all operands of a combined collective together
 * @param operands how many tensors were combined
 * @param groupSize devices that take part in each, 0 where unknown
 * @param sync whether the backend runs it synchronously although it is a pair
 * @param pipelined whether the backend says that a pass moved it across iterations
 * @param frontendAttributes attributes that the framework or a pass added
 * @param dependencies instructions and queues for which it must wait
 * @param overlapped compute instructions scheduled between the start and the done of one pair
 * @param inLoop whether the computation runs inside a loop
 * @param runs of each instruction in one step, by the loops' known trip counts
 */
public record Collective(
    CollectiveKind kind,
    String name,
    int count,
    String computation,
    long bytes,
    int operands,
    int groupSize,
    Pairing pairing,
    boolean sync,
    boolean pipelined,
    SortedMap<String, String> frontendAttributes,
    List<String> dependencies,
    int overlapped,
    boolean inLoop,
    OptionalLong runs) {

  /** The relation of start and done. */
  public enum Pairing {
    /** A single instruction: nothing can run at the same time. */
    NONE,
    SAME_ITERATION,
    /** Started in one iteration of a loop and awaited in the next. */
    CROSS_ITERATION
  }

  public Collective {
    frontendAttributes = Collections.unmodifiableSortedMap(new TreeMap<>(frontendAttributes));
    dependencies = List.copyOf(dependencies);
  }

  /**
   * Whether it blocks its device: it is not a pair, or the backend runs the pair as one
   * instruction.
   */
  public boolean blocks() {
    return pairing == Pairing.NONE || sync;
  }

  /**
   * Bytes that a device receives from others in one step, with the least traffic that the
   * collective needs; a loop of unknown length counts as one round. If the group's size is unknown,
   * the result's own bytes.
   *
   * @see <a href="https://github.com/NVIDIA/nccl-tests/blob/master/doc/PERFORMANCE.md">bytes of
   *     each collective by number of ranks</a>
   */
  public double receivedBytesPerStep() {
    double others = groupSize > 0 ? (groupSize - 1.0) / groupSize : 1;
    double received =
        switch (kind) {
          case ALL_GATHER, ALL_TO_ALL, RAGGED_ALL_TO_ALL -> bytes * others;
          case ALL_REDUCE -> groupSize > 0 ? 2 * bytes * others : bytes;
          case REDUCE_SCATTER -> groupSize > 0 ? bytes * (groupSize - 1.0) : bytes;
          case COLLECTIVE_PERMUTE, COLLECTIVE_BROADCAST, SEND, RECV, OTHER -> bytes;
        };
    return received * count * Math.max(1, runs.orElse(1));
  }
}
