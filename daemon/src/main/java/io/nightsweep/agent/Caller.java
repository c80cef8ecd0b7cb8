package io.nightsweep.agent;

import java.nio.file.Path;

/**
 * Who asks, and which daemon.
 *
 * @param assistant the name under which a person grants
 * @param state the state directory
 */
record Caller(String assistant, Path state) {
  /** The option that every command takes which speaks of sweeps. */
  String stateOption() {
    return "--state=" + state;
  }
}
