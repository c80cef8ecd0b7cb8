package io.nightsweep.workload.command;

import io.nightsweep.sweep.SweepSpec;
import io.nightsweep.workload.Workload;
import io.nightsweep.workload.Workload.SetupProblem;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The folders in which a sweep's commands start: of the workload, and of what overrides it. */
final class StartFolders {
  private static final String DIRECTORY = "directory";

  private StartFolders() {}

  /** Each folder that is not there, at the first place of the sweep file that names it. */
  static List<SetupProblem> missing(SweepSpec spec) {
    LinkedHashMap<String, String> named = new LinkedHashMap<>();
    put(named, spec.settings(), DIRECTORY, "workload/directory");
    put(named, spec.settings(), Workload.VALIDATION + DIRECTORY, "workload/validation/directory");
    spec.configTags()
        .forEach(
            tag ->
                put(named, tag.overrides(), DIRECTORY, "configTags/" + tag.name() + "/directory"));
    spec.profiles()
        .forEach(
            profile ->
                put(
                    named,
                    profile.overrides(),
                    DIRECTORY,
                    "profiles/" + profile.name() + "/overrides/directory"));
    return named.entrySet().stream()
        .filter(e -> !isFolder(e.getKey()))
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

  private static void put(
      Map<String, String> named, Map<String, String> values, String key, String place) {
    String folder = values.getOrDefault(key, "");
    if (!folder.isBlank()) {
      named.putIfAbsent(folder, place);
    }
  }

  private static boolean isFolder(String path) {
    try {
      return Files.isDirectory(Path.of(path));
    } catch (InvalidPathException e) {
      return false;
    }
  }
}
