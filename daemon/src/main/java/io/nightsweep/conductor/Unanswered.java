package io.nightsweep.conductor;

/** What becomes of a submission's intent when no job of its name is to be found. */
public enum Unanswered {
  SUBMIT_AGAIN,
  /** A remedy acts on the nodes; the question is asked again later. */
  WAIT,
  /** The sweep does not run, or has no more use for the job. */
  GIVE_UP
}
