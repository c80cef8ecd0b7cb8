package io.nightsweep.sweep;

/**
 * What slowed a node down while a job ran on it.
 *
 * @param node a pinned node's name
 * @param value in the kind's unit, from the first sample to the last
 * @param elsewhere the median of the job's other nodes; 0 if there are none
 */
public record NodeStrain(String node, Kind kind, double value, double elsewhere) {

  /** The figures that a job can read on its own node without privileges. */
  public enum Kind {
    /** A limit on CPU time throttled the job's processes; in seconds per second. */
    THROTTLED,
    /** The hypervisor gave the processors to others; a share of their time. */
    STOLEN,
    /** Processes ready to run, per processor. */
    LOADED,
    /** How often a processor was slowed because of heat. */
    OVERHEATED,
    /** Free memory, as a share of all memory; too little is a strain. */
    SHORT_OF_MEMORY,
    /** Errors counted on a link. */
    LINK_ERRORS,
    /** Retransmitted packets per second. */
    RETRANSMITS,
    /** The highest clock of the slowest GPU, in MHz; too low is a strain. */
    GPU_CLOCK,
    /** The hottest GPU, in degrees Celsius. */
    GPU_HEAT
  }
}
