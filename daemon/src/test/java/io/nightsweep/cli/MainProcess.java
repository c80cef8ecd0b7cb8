package io.nightsweep.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line in a process of its own, for tests that give it another environment. */
final class MainProcess {
  private MainProcess() {}

  static List<String> command(List<String> arguments) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                "io.nightsweep.cli.Main"));
    command.addAll(arguments);
    return command;
  }
}
