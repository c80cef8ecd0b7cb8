package io.nightsweep.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The launcher of {@code daemon/lab/maxtext}, with its JAX, in a place that all nodes of a lab see.
 */
public final class MaxTextLab {
  private static final Path SOURCE = Path.of("lab/maxtext").toAbsolutePath();

  private MaxTextLab() {}

  /**
   * A fresh clone with one commit; the first call on a machine installs JAX, which takes a minute.
   */
  public static Path checkout(SlurmLab lab, String name) {
    return checkout(lab, name, Map.of());
  }

  /**
   * The same with a site's own files in the commit.
   *
   * @param files their texts by path
   */
  public static Path checkout(SlurmLab lab, String name, Map<String, String> files) {
    run(List.of(SOURCE.resolve("setup").toString()));
    Path copy = lab.shared(name);
    run(List.of("cp", "-a", SOURCE + "/.", copy.toString()));
    files.forEach((path, text) -> write(copy.resolve(path), text));
    run(List.of("git", "-C", copy.toString(), "init", "-q"));
    run(List.of("git", "-C", copy.toString(), "add", "-A"));
    run(
        List.of(
            "git",
            "-C",
            copy.toString(),
            "-c",
            "user.name=lab",
            "-c",
            "user.email=lab@localhost",
            "commit",
            "-qm",
            "The lab's launcher"));
    return copy;
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static String run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + " failed:\n" + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** All regular files below a folder. */
  public static List<Path> files(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).toList();
    }
  }
}
