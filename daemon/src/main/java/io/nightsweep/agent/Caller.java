package io.nightsweep.agent;

import java.nio.file.Path;

/**
 * The assistant that calls, and the daemon's directory.
 *
 * @param assistant the name to which a person gives grants
 * @param state the state directory
 */
record Caller(String assistant, Path state) {
  /** The option for commands about sweeps. */
  String stateOption() {
    return "--state=" + state;
  }
}
