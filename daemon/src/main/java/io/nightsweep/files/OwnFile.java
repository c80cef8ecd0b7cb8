package io.nightsweep.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner reads and writes, and that are whole or not there. */
public final class OwnFile {
  private static final FileAttribute<?> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  private OwnFile() {}

  /** Makes the folder where there is none, for its owner alone. */
  public static void folder(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Makes an empty file where there is none. */
  public static void create(Path file) throws IOException {
    try {
      Files.createFile(file, OWN);
    } catch (FileAlreadyExistsException e) {
      // It stays as it is.
    }
  }

  /** Replaces the file by the text and a new line; its folder is made where there is none. */
  public static void write(Path file, String text) throws IOException {
    write(file, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Replaces the file by the bytes; its folder is made where there is none. */
  public static void write(Path file, byte[] content) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path whole = Files.createTempFile(folder, ".new", ".json", OWN);
    try {
      try (FileChannel channel = FileChannel.open(whole, StandardOpenOption.WRITE)) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
          channel.write(bytes);
        }
        // After a power cut the name must lead to the old file or to the new one, never to an empty
        // one.
        channel.force(true);
      }
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }
}
