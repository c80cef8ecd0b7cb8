package io.nightsweep.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The command line in a separate process, for tests that give it another environment. */
final class MainProcess {
  private MainProcess() {}

  static List<String> command(List<String> arguments) {
    return command(Main.class, arguments);
  }

  private static List<String> command(Class<?> main, List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(arguments);
    return command;
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
