package io.nightsweep.agent;

import io.nightsweep.asked.RefusedException;
import java.util.List;
import java.util.Map;

/**
 * A tool of an assistant.
 *
 * @param about for the assistant: what the tool returns, and when to use it
 * @param confirmed whether a person must confirm each call, elsewhere, before anything happens
 * @param arguments in the order in which they are listed
 * @param command the command to run
 */
record Tool(
    String name,
    String about,
    Scope scope,
    boolean confirmed,
    List<Argument> arguments,
    CommandWords command) {

  /** Builds the command's arguments from the caller and the checked values. */
  @FunctionalInterface
  interface CommandWords {
    List<String> words(Caller caller, Map<String, String> values) throws RefusedException;
  }

  boolean isReadOnly() {
    return scope == Scope.READ;
  }
}
