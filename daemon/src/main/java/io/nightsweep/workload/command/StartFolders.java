package io.nightsweep.workload.command;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The folders in which a sweep's commands start: of the workload, and of what overrides it. */
final class StartFolders {
  private static final String DIRECTORY = "directory";

  private StartFolders() {}

  /** Each folder that is not there, at the first place of the sweep file that names it. */
  static List<SetupProblem> missing(SweepSpec spec) {
    return SettingPlaces.of(spec, DIRECTORY).entrySet().stream()
        .filter(e -> !e.getKey().isBlank() && !isFolder(e.getKey()))
        .map(
            e ->
                new SetupProblem(
                    "no folder " + e.getKey(),
                    "name the folder in which the command starts",
                    true,
                    e.getValue(),
                    List.of()))
        .toList();
  }

  private static boolean isFolder(String path) {
    try {
      return Files.isDirectory(Path.of(path));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
