package io.nightsweep.sweep;

/**
 * What slowed a node down while a job ran on it.
 *
 * @param node a pinned node's name
 * @param value in the kind's unit, over the time from the first sample to the last
 * @param elsewhere the median of the job's other nodes; 0 where there is none
 */
public record NodeStrain(String node, Kind kind, double value, double elsewhere) {

  /** The figures that a job's own node tells without privileges. */
  public enum Kind {
    /** A limit on CPU time held the job's processes back; seconds a second. */
    THROTTLED,
    /** The hypervisor gave the processors to others; a share of their time. */
    STOLEN,
    /** Processes that wanted to run, for each processor. */
    LOADED,
    /** Times that a processor was slowed for its heat. */
    OVERHEATED,
    /** Memory that is still free, as a share of all; too little is a strain. */
    SHORT_OF_MEMORY,
    /** Errors that a link counted. */
    LINK_ERRORS,
    /** Packets that were sent again, a second. */
    RETRANSMITS,
    /** The clock of the slowest GPU in its best moment, in MHz; too low is a strain. */
    GPU_CLOCK,
    /** The hottest GPU, in degrees Celsius. */
    GPU_HEAT
  }
}
