package io.nightsweep.agent;

import java.time.Instant;

/**
 * What a person allows an assistant.
 *
 * @param name of the assistant; every command that it gives is journaled with it
 * @param until from when on the assistant may only read
 */
public record Grant(String name, Scope scope, Instant until) {
  /** What holds at a time: a grant that has expired allows to read, and no more. */
  Scope at(Instant now) {
    return now.isBefore(until) ? scope : Scope.READ;
  }
}
