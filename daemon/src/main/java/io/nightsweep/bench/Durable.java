package io.nightsweep.bench;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/**
 * Writes files atomically and durably: a file is complete or absent, also after a power failure.
 */
final class Durable {
  private Durable() {}

  /** Writes a new file. */
  static void write(Path file, byte[] bytes) throws IOException {
    Files.createFile(file);
    add(file, bytes);
  }

  /** Appends a line and forces it to the disk before it returns. */
  static void append(Path file, String line) throws IOException {
    add(file, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Appended lines, without a last line that a crash cut off. */
  static List<String> lines(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = Files.readString(file);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Uses no FileChannel: Ctrl-C interrupts the thread, and an interrupt closes the channel. */
  private static void add(Path file, byte[] bytes) throws IOException {
    try (FileOutputStream out = new FileOutputStream(file.toFile(), true)) {
      out.write(bytes);
      out.getFD().sync();
    }
  }

  static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Makes {@code link} point to {@code target} atomically. */
  static void swap(Path link, Path target) throws IOException {
    Path fresh = link.resolveSibling(link.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, target);
    Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(Objects.requireNonNull(link.toAbsolutePath().getParent()));
  }
}
