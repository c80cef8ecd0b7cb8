package io.nightsweep.cli;

import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "clean",
    mixinStandardHelpOptions = true,
    description =
        "Removes finished sweeps with their journals and jobs' logs; the model's pages in reports/ stay.")
final class CleanCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StateFolder state;

  @Parameters(
      paramLabel = "SWEEP",
      arity = "0..*",
      description = "As 'nightsweep sweeps' lists it.")
  private List<String> names = List.of();

  @Option(names = "--all", description = "Every sweep that has finished.")
  private boolean all;

  @Override
  public Integer call() throws IOException, CliException {
    if (all != names.isEmpty()) {
      throw new CliException(
          ExitCode.USAGE,
          "name the sweeps to remove, or say --all; 'nightsweep sweeps' lists them");
    }
    List<SweepDirectory> known = state.directory().all();
    List<SweepDirectory> meant = new ArrayList<>();
    for (String name : names) {
      meant.add(
          known.stream()
              .filter(d -> d.id().equals(name))
              .findFirst()
              .orElseThrow(
                  () ->
                      new CliException(
                          ExitCode.NOT_FOUND,
                          "no sweep '" + name + "' in " + state.directory().root())));
    }
    // Nothing is removed where one of the named ones still runs.
    for (SweepDirectory d : meant) {
      if (!JournalReader.endsFinished(d.journal())) {
        throw new CliException(
            ExitCode.REFUSED,
            d.id() + " has not finished; end it first: nightsweep stop --sweep " + d.id());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    for (SweepDirectory d : all ? known : meant) {
      if (JournalReader.endsFinished(d.journal())) {
        remove(d.root());
        out.println("removed " + d.id());
      } else {
        out.println("kept " + d.id() + ", which has not finished");
      }
    }
    out.flush();
    return ExitCode.OK;
  }

  /** Links are removed and not followed. */
  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
