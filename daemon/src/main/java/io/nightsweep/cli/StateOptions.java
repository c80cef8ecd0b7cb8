package io.nightsweep.cli;

import io.nightsweep.engine.DaemonClient;
import io.nightsweep.engine.StateDirectory;
import io.nightsweep.engine.SweepDirectory;
import io.nightsweep.journal.JournalReader;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select a daemon and one of its sweeps. */
final class StateOptions {
  @Mixin private StateFolder folder;

  @Option(
      names = "--sweep",
      paramLabel = "ID",
      description = "Which sweep (default: the only one that is unfinished, else the latest).")
  private @Nullable String sweep;

  StateDirectory directory() {
    return folder.directory();
  }

  DaemonClient client() {
    return folder.client();
  }

  /** The named sweep, or the only possible one. */
  Chosen chosen() throws IOException, CliException {
    List<SweepDirectory> candidates = candidates();
    if (candidates.size() > 1) {
      throw new CliException(
          ExitCode.USAGE,
          "several sweeps are unfinished; say which:\n"
              + candidates.stream()
                  .map(d -> "  --sweep " + d.id())
                  .collect(Collectors.joining("\n")));
    }
    return open(candidates.getFirst());
  }

  /** Refuses the name of a sweep that does not exist. */
  void insistOnTheNamed() throws IOException, CliException {
    if (sweep != null) {
      candidates();
    }
  }

  /** The named sweep; else all unfinished ones, or the latest if there is none. */
  List<SweepDirectory> candidates() throws IOException, CliException {
    List<SweepDirectory> all = directory().all();
    if (sweep != null) {
      return all.stream()
          .filter(d -> d.id().equals(sweep))
          .findFirst()
          .map(List::of)
          .orElseThrow(
              () ->
                  new CliException(
                      ExitCode.NOT_FOUND,
                      "no sweep '" + sweep + "' in " + directory().root() + known(all)));
    }
    List<SweepDirectory> unfinished = new ArrayList<>();
    for (SweepDirectory d : all) {
      if (!isFinished(d)) {
        unfinished.add(d);
      }
    }
    if (!unfinished.isEmpty()) {
      return unfinished;
    }
    return List.of(
        latest(all)
            .orElseThrow(
                () ->
                    new CliException(
                        ExitCode.NOT_FOUND,
                        "no sweep in "
                            + directory().root()
                            + "; start one: nightsweep start sweep.yaml")));
  }

  /** An unreadable journal counts as unfinished, so that it does not hide other sweeps. */
  private static boolean isFinished(SweepDirectory sweep) {
    try {
      return JournalReader.endsFinished(sweep.journal());
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<SweepDirectory> latest(List<SweepDirectory> all) throws IOException {
    Optional<SweepDirectory> latest = Optional.empty();
    for (SweepDirectory d : all) {
      if (latest.isEmpty()
          || Files.getLastModifiedTime(d.journal())
                  .compareTo(Files.getLastModifiedTime(latest.get().journal()))
              > 0) {
        latest = Optional.of(d);
      }
    }
    return latest;
  }

  private static String known(List<SweepDirectory> all) {
    return all.isEmpty()
        ? ""
        : "; there are " + all.stream().map(SweepDirectory::id).collect(Collectors.joining(", "));
  }

  static Chosen open(SweepDirectory directory) throws IOException {
    return new Chosen(directory, JournalReader.fold(directory.journal()));
  }

  /** A sweep with the state from its journal. */
  record Chosen(SweepDirectory directory, SweepState state) {}
}
