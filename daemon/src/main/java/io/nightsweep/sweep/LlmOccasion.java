package io.nightsweep.sweep;

/**
 * An occasion to query a language model.
 *
 * @param about the wave that closed or the attempt that failed; empty for the other kinds
 */
public record LlmOccasion(Kind kind, String about) {
  public enum Kind {
    /** The profiled run has been read. */
    EVIDENCE,
    /** A wave has closed. */
    WAVE,
    /** Nothing is left that may gain: the search would end without a winner. */
    BOUNDED,
    /** An attempt failed in a way that matches no class of the playbook. */
    FAILURE
  }
}
