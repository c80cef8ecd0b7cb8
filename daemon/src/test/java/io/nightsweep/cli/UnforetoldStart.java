package io.nightsweep.cli;

import io.nightsweep.engine.ClusterChoice;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.sweep.Command;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The command {@code start} without its forecast, which may take a processor for five seconds: for
 * tests that start many sweeps and read no forecast.
 */
final class UnforetoldStart {
  private UnforetoldStart() {}

  /** The words for a process that starts the file. */
  static String[] words(String cluster, Path file, Path state) {
    return new String[] {cluster, file.toString(), state.toString()};
  }

  public static void main(String[] args) throws Exception {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    Path file = Path.of(args[1]);
    StartCommand.StartedSweep started =
        StartCommand.start(
            new StateDirectory(Path.of(args[2])),
            ClusterChoice.Kind.valueOf(args[0].toUpperCase(Locale.ROOT)),
            file,
            file,
            new Command.Origin(Command.Origin.Door.CLI, "me"),
            false,
            out);
    out.println("started " + started.id());
  }
}
