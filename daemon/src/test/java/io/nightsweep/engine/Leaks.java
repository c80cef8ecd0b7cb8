package io.nightsweep.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Searches everything that a sweep left for a planted secret. */
final class Leaks {
  private Leaks() {}

  /** The files that contain the text, except jobs' output and the launcher that they ran. */
  static List<Path> of(String secret, Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.endsWith("job.log"))
          .filter(file -> !root.relativize(file).toString().contains("launcher/"))
          .filter(file -> holds(file, secret))
          .toList();
    }
  }

  private static boolean holds(Path file, String secret) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1).contains(secret);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
