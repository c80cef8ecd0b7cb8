package io.nightsweep.cli;

import io.nightsweep.cluster.Shell;
import io.nightsweep.plan.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A log as a person names it.
 *
 * @param path where it is read
 * @param name for people
 */
record GivenLog(Path path, String name) {
  private static final Set<String> STANDARD_INPUT = Set.of("-", "/dev/stdin", "/dev/fd/0");

  /** What a shell puts in the place of {@code <(...)}. */
  private static final Pattern DESCRIPTOR = Pattern.compile("/(?:dev|proc/self)/fd/\\d+");

  /** The usual names of logs in a folder with other files. */
  private static final List<String> USUAL = List.of(".log", ".out", ".err");

  static GivenLog of(Path given) {
    String written = given.toString();
    return STANDARD_INPUT.contains(written)
        ? new GivenLog(Path.of("/dev/stdin"), "standard input")
        : new GivenLog(given, DESCRIPTOR.matcher(written).matches() ? "a pipe" : written);
  }

  /** Why it cannot be read, and what to do; empty if it may be tried. */
  Optional<String> fault() {
    if (Files.isDirectory(path)) {
      return Optional.of("it is a directory" + logsWithin());
    }
    if (!Files.exists(path)) {
      return Optional.of("there is no such log" + nearest());
    }
    return Files.isReadable(path) ? Optional.empty() : Optional.of("it cannot be read");
  }

  /** The name of a file of the log, such as a rotated part. */
  String nameOf(String file) {
    return file.equals(path.toString()) ? name : file;
  }

  private String logsWithin() {
    List<String> names = names(path);
    if (names.isEmpty()) {
      return ", and no file is in it";
    }
    String ending =
        USUAL.stream()
            .filter(e -> names.stream().anyMatch(n -> n.endsWith(e)))
            .findFirst()
            .orElse("");
    return "; for its files: nightsweep triage "
        + Shell.word(path.toString().equals("/") ? "" : path.toString())
        + "/*"
        + ending;
  }

  private String nearest() {
    Path folder = path.resolveSibling("");
    return Optional.ofNullable(path.getFileName())
        .flatMap(file -> Nearest.to(file.toString(), names(folder)))
        .map(meant -> Nearest.question(path.resolveSibling(meant).toString()))
        .orElse("");
  }

  private static List<String> names(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> String.valueOf(f.getFileName()))
          .filter(n -> !n.startsWith("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }
}
