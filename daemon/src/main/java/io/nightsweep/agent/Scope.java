package io.nightsweep.agent;

/** What an assistant may do; each scope includes those before it. */
public enum Scope {
  /** May look at sweeps. */
  READ,
  /** May propose profiles, which a person must approve. */
  PROPOSE,
  /** May pause at once; may resume, start, stop and approve after a person's confirmation. */
  CONTROL;

  boolean includes(Scope needed) {
    return compareTo(needed) >= 0;
  }
}
