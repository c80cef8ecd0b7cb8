package io.nightsweep.asked;

import java.util.List;

/** Runs one of Nightsweep's own commands: an assistant can do only what commands can do. */
@FunctionalInterface
public interface Commands {
  /**
   * @param exit exit status, see {@code nightsweep help}
   */
  record CommandResult(int exit, String out, String err) {}

  /**
   * @param arguments the command's name first
   */
  CommandResult run(List<String> arguments) throws InterruptedException;
}
