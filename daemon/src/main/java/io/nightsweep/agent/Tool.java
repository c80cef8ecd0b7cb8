package io.nightsweep.agent;

import io.nightsweep.asked.RefusedException;
import java.util.List;
import java.util.Map;

/**
 * What an assistant can ask for.
 *
 * @param about for the assistant: what it gets, and when to ask for it
 * @param confirmed whether a person confirms each call by another door before anything happens
 * @param arguments in the order in which they are listed
 * @param command what is run
 */
record Tool(
    String name,
    String about,
    Scope scope,
    boolean confirmed,
    List<Argument> arguments,
    CommandWords command) {

  /** The arguments of Nightsweep's command, from the caller and the checked values. */
  @FunctionalInterface
  interface CommandWords {
    List<String> words(Caller caller, Map<String, String> values) throws RefusedException;
  }

  boolean isReadOnly() {
    return scope == Scope.READ;
  }
}
