package io.nightsweep.cli;

import io.nightsweep.files.ChildJvm;
import java.util.List;
import java.util.stream.Collectors;

/** The command line in a separate process, for tests that give it another environment. */
final class MainProcess {
  private MainProcess() {}

  static List<String> command(List<String> arguments) {
    return command(Main.class, arguments);
  }

  /** Another program of the tests in a process with the same options. */
  static List<String> command(Class<?> main, List<String> arguments) {
    return ChildJvm.command(
        List.of("--enable-native-access=ALL-UNNAMED"), main, arguments.toArray(String[]::new));
  }

  /** The same as words for a shell; no word contains a single quote. */
  static String shell(List<String> arguments) {
    return quoted(command(arguments));
  }

  /** Runs the command lines that follow it in one process: {@link InTurn}. */
  static String shellInTurn() {
    return quoted(command(InTurn.class, List.of()));
  }

  private static String quoted(List<String> words) {
    return words.stream().map(w -> "'" + w + "'").collect(Collectors.joining(" "));
  }
}
