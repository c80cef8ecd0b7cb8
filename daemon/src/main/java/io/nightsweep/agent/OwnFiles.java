package io.nightsweep.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner reads and writes, and that are whole or not there. */
final class OwnFiles {
  private OwnFiles() {}

  static void write(Path file, String text) throws IOException {
    FileAttribute<?> own =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path whole = Files.createTempFile(folder, ".new", ".json", own);
    try {
      Files.writeString(whole, text + "\n");
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
