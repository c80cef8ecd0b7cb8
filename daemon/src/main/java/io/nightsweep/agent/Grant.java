package io.nightsweep.agent;

import java.time.Instant;

/**
 * What a person allows an assistant to do.
 *
 * @param name of the assistant; every command of it is journaled with the name
 * @param until when the grant expires; then the assistant may only read
 */
public record Grant(String name, Scope scope, Instant until) {
  /** The scope at a time; an expired grant only allows reading. */
  Scope at(Instant now) {
    return now.isBefore(until) ? scope : Scope.READ;
  }
}
