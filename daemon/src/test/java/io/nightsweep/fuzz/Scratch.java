package io.nightsweep.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Shared by fuzz targets: a file for readers of files, and a check that is enabled in any JVM. */
public final class Scratch {
  private static final Path FOLDER = create();

  private Scratch() {}

  private static Path create() {
    try {
      return Files.createTempDirectory("fuzz");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static Path folder() {
    return FOLDER;
  }

  /** The same file each time, with these bytes. */
  public static Path file(byte[] content) throws IOException {
    return Files.write(FOLDER.resolve("input"), content);
  }

  public static String text(byte[] input) {
    return new String(input, StandardCharsets.UTF_8);
  }

  public static void check(boolean holds, Object about) {
    if (!holds) {
      throw new AssertionError(String.valueOf(about));
    }
  }
}
