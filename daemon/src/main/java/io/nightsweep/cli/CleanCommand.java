package io.nightsweep.cli;

import io.nightsweep.cluster.ClusterUnreachableException;
import io.nightsweep.cluster.local.LocalCluster;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.report.Figures;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
        "Removes finished sweeps with their journals and jobs' logs; the model's pages in reports/"
            + " stay.")
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

  @Option(
      names = {"-y", "--yes"},
      description = "With --all: do not ask first; a script needs this.")
  private boolean yes;

  @Override
  public Integer call() throws IOException, InterruptedException, CliException {
    if (all != names.isEmpty()) {
      throw new CliException(
          ExitCode.USAGE,
          "name the sweeps to remove, or use --all; 'nightsweep sweeps' lists them");
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
    // Nothing is removed if any of the named sweeps still runs.
    for (SweepDirectory d : meant) {
      if (!JournalReader.endsFinished(d.journal())) {
        throw new CliException(
            ExitCode.REFUSED,
            d.id() + " has not finished; end it first: nightsweep stop --sweep " + d.id());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (all) {
      for (SweepDirectory d : known) {
        if (JournalReader.endsFinished(d.journal())) {
          meant.add(d);
        } else {
          out.println("kept " + d.id() + ", which has not finished");
        }
      }
      if (meant.isEmpty()) {
        out.println("no sweep in " + state.directory().root() + " has finished");
      } else if (!yes && !isConfirmed(meant)) {
        out.println("nothing is removed");
        meant.clear();
      }
    }
    List<String> left = new ArrayList<>();
    for (SweepDirectory d : meant) {
      Optional<String> obstacle = remove(d);
      obstacle.ifPresentOrElse(
          why -> left.add(d.id() + " could not be removed: " + why),
          () -> out.println("removed " + d.id()));
    }
    out.flush();
    if (!left.isEmpty()) {
      throw new CliException(ExitCode.FAILED, String.join("\n", left));
    }
    return ExitCode.OK;
  }

  /**
   * Shows what would be removed and how much disk space that frees, and whether the person agrees.
   */
  private static boolean isConfirmed(List<SweepDirectory> meant)
      throws IOException, InterruptedException, CliException {
    String what =
        "%s, %s on disk: %s"
            .formatted(
                Figures.count(meant.size(), "sweep"),
                size(meant),
                meant.stream().map(SweepDirectory::id).collect(Collectors.joining(", ")));
    if (!Terminal.canAnswer()) {
      throw new CliException(
          ExitCode.USAGE, "--all would remove " + what + "; without a terminal, add --yes");
    }
    return Terminal.ask("Remove " + what + "? yes or no [no]:")
        .filter(answer -> answer.strip().toLowerCase(Locale.ROOT).matches("y|yes"))
        .isPresent();
  }

  /** Total size as du reports it, such as {@code 1.3 MB}. */
  private static String size(List<SweepDirectory> sweeps) throws IOException, InterruptedException {
    List<String> du = new ArrayList<>(List.of("du", "--si", "-sc", "--"));
    sweeps.forEach(sweep -> du.add(sweep.root().toString()));
    Process process = new ProcessBuilder(du).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader said = process.inputReader()) {
      String total = said.lines().reduce("?", (earlier, later) -> later);
      int unused = process.waitFor();
      return total.replaceFirst("(?s)^([\\d.]+)(\\p{L}?).*", "$1 $2B");
    }
  }

  /**
   * Removes a sweep. The journal goes last, so that a sweep with job files that could not be
   * removed is still listed.
   */
  private Optional<String> remove(SweepDirectory sweep) throws IOException, InterruptedException {
    Optional<String> obstacle = remove(sweep.root().resolve("jobs"));
    if (obstacle.isPresent()) {
      return obstacle;
    }
    try {
      LocalCluster.forget(state.directory().localQueue(), sweep.root());
    } catch (ClusterUnreachableException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    return remove(sweep.root());
  }

  /**
   * Removes links without following them. Uses rm, since jobs can leave paths that are too long for
   * Java.
   *
   * @return the obstacle, if there is one
   */
  private static Optional<String> remove(Path folder) throws IOException, InterruptedException {
    ProcessBuilder rm = new ProcessBuilder("rm", "-rf", "--", folder.toString());
    rm.environment().put("LC_ALL", "C");
    Process process = rm.start();
    try (BufferedReader said = process.errorReader()) {
      Optional<String> first = Optional.ofNullable(said.readLine());
      said.transferTo(Writer.nullWriter());
      return process.waitFor() == 0 ? Optional.empty() : first.or(() -> Optional.of("rm failed"));
    }
  }
}
