package io.nightsweep.agent;

/** What an assistant may do; each scope includes those before it. */
public enum Scope {
  /** Look at sweeps. */
  READ,
  /** Propose profiles, which a person approves. */
  PROPOSE,
  /** Pause at once; resume, start, stop and approve after a person's confirmation. */
  CONTROL;

  boolean includes(Scope needed) {
    return compareTo(needed) >= 0;
  }
}
