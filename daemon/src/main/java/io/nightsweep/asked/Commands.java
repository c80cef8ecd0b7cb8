package io.nightsweep.asked;

import java.util.List;

/** Runs one of Nightsweep's own commands: an assistant can do nothing that a command cannot. */
@FunctionalInterface
public interface Commands {
  /**
   * @param exit as {@code nightsweep help} documents
   */
  record CommandResult(int exit, String out, String err) {}

  /**
   * @param arguments the command's name first
   */
  CommandResult run(List<String> arguments) throws InterruptedException;
}
