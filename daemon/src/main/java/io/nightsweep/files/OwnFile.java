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

/**
 * Writes this program's own files in places where others may have put anything. It never opens an
 * existing entry for writing: neither a pipe, which would block, nor the target of a link.
 */
public final class OwnFile {
  private static final FileAttribute<?> OWN =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  /** The permissions of a shared file, which the process's umask restricts. */
  private static final FileAttribute<?> SHARED =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-rw-rw-"));

  private OwnFile() {}

  /** Creates the folder, accessible only to its owner, if it does not exist. */
  public static void folder(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Creates an empty file if there is none. */
  public static void create(Path file) throws IOException {
    try {
      Files.createFile(file, OWN);
    } catch (FileAlreadyExistsException e) {
      // The existing file stays.
    }
  }

  /** Replaces the file by the text and a line end; creates its folder if needed. */
  public static void write(Path file, String text) throws IOException {
    write(file, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Atomically replaces the file by the bytes, readable only by its owner; creates its folder if
   * needed.
   */
  public static void write(Path file, byte[] content) throws IOException {
    write(file, content, OWN);
  }

  /** Replaces the file, readable by everyone whom the process's umask allows. */
  public static void writeShared(Path file, byte[] content) throws IOException {
    write(file, content, SHARED);
  }

  /**
   * Appends to the file, which is created if needed.
   *
   * @throws IOException where a pipe, a device, a directory or a link is in its place
   */
  public static void append(Path file, String text) throws IOException {
    create(file);
    ForeignFile.requireRegular(file);
    try (FileChannel channel = ForeignFile.unfollowed(file, StandardOpenOption.APPEND)) {
      write(channel, text.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void write(Path file, byte[] content, FileAttribute<?> mode) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    Files.createDirectories(folder);
    Path whole = Files.createTempFile(folder, ".new", ".tmp", mode);
    try {
      try (FileChannel channel = FileChannel.open(whole, StandardOpenOption.WRITE)) {
        write(channel, content);
        // After a power failure the name must refer to the old file or the new one, never to an
        // empty one.
        channel.force(true);
      }
      Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  private static void write(FileChannel channel, byte[] content) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(content);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
