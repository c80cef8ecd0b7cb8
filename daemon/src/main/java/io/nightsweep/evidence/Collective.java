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
 * @param computation where they stand
 * @param bytes of the result on one device, all operands of a combined collective together
 * @param operands how many tensors were combined
 * @param groupSize devices that take part in each, 0 where unknown
 * @param sync the backend runs it synchronously although it may be a pair
 * @param pipelined the backend says that a pass moved it across iterations
 * @param frontendAttributes what the framework or a pass wrote on it
 * @param dependencies instructions and queues that it is made to wait for
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

  /** How start and done stand to each other. */
  public enum Pairing {
    /** One instruction: nothing can run beside it. */
    NONE,
    SAME_ITERATION,
    /** Started in one iteration of a loop and awaited in the next. */
    CROSS_ITERATION
  }

  public Collective {
    frontendAttributes = Collections.unmodifiableSortedMap(new TreeMap<>(frontendAttributes));
    dependencies = List.copyOf(dependencies);
  }

  /** Whether it blocks its device: no pair, or a pair that the backend runs as one. */
  public boolean blocks() {
    return pairing == Pairing.NONE || sync;
  }

  /** Whether compute can hide any of it. */
  public boolean canOverlap() {
    return !blocks() && (overlapped > 0 || pairing == Pairing.CROSS_ITERATION);
  }

  /** Bytes of all its runs in one step; a loop of unknown length counts as one round. */
  public long bytesPerStep() {
    return bytes * count * Math.max(1, runs.orElse(1));
  }
}
