package io.nightsweep.workload.command;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload.SetupProblem;
import io.nightsweep.workload.command.StartedPrograms.StartedProgram;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds programs in a sweep's commands that this machine lacks. It is an error only if jobs run
 * here and every job needs the program; otherwise it is a warning, since an earlier command may
 * create the program, or prevent that it is reached.
 */
final class MissingPrograms {
  private final Optional<Path> directory;
  private final boolean runsHere;

  private MissingPrograms(SweepSpec spec, boolean runsHere) {
    this.directory = CommandSettings.of(spec.settings(), 1).directory();
    this.runsHere = runsHere;
  }

  /**
   * @param runsHere whether jobs are processes of this machine; otherwise only paths are checked,
   *     and only for a warning, since nodes may see other folders
   */
  static List<SetupProblem> of(SweepSpec spec, boolean runsHere) {
    boolean hasOwnPath =
        spec.settings().containsKey("env.PATH")
            || spec.everyProfile().stream().anyMatch(p -> p.env().containsKey("PATH"));
    if (hasOwnPath) {
      return List.of();
    }
    MissingPrograms missing = new MissingPrograms(spec, runsHere);
    List<SetupProblem> problems = new ArrayList<>();
    for (Map.Entry<String, String> command :
        SettingPlaces.of(spec, CommandSyntax.COMMAND).entrySet()) {
      StartedPrograms.in(command.getKey()).stream()
          .flatMap(started -> missing.problem(started, command.getValue()).stream())
          .distinct()
          .forEach(problems::add);
    }
    return problems;
  }

  private Optional<SetupProblem> problem(StartedProgram started, String setting) {
    String name = started.name();
    boolean isPath = name.contains("/");
    if (isPath ? !started.isFirst() : !runsHere) {
      return Optional.empty();
    }
    return (isPath ? unfit(name) : notOnPath(name))
        .map(
            found ->
                new SetupProblem(
                    found,
                    isPath
                        ? "correct the path, or make it executable: chmod +x " + name
                        : "correct the name, or install it on every node",
                    runsHere && started.isNeeded(),
                    setting));
  }

  private Optional<String> unfit(String path) {
    if (directory.isEmpty() && !path.startsWith("/")) {
      return Optional.of(
          "the command starts "
              + path
              + " in the job's own folder, where nothing is: workload.directory says where it"
              + " starts");
    }
    Path file = directory.orElse(Path.of("/")).resolve(path).normalize();
    String lack =
        Files.isDirectory(file) || !Files.exists(file)
            ? ", and there is no such program on this machine"
            : Files.isExecutable(file) ? "" : ", which is not executable";
    return lack.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the command starts " + file + lack + (runsHere ? "" : "; a node may still have it"));
  }

  private static Optional<String> notOnPath(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
            .map(folder -> Path.of(folder, name))
            .anyMatch(file -> Files.isExecutable(file) && !Files.isDirectory(file))
        ? Optional.empty()
        : Optional.of(
            "the command starts '" + name + "', which is not on the PATH of this machine");
  }
}
