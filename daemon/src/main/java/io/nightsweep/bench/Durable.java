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

/** Files that are whole or not there, and stay after a power cut. */
final class Durable {
  private Durable() {}

  /** Writes a new file. */
  static void write(Path file, byte[] bytes) throws IOException {
    Files.createFile(file);
    add(file, bytes);
  }

  /** Appends a line, and has it on the disk before returning. */
  static void append(Path file, String line) throws IOException {
    add(file, (line + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Lines that were appended; what a hard stop cut off at the end is none. */
  static List<String> lines(Path file) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = Files.readString(file);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  /** Not by a FileChannel: Ctrl-C interrupts the thread, and that would close it. */
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

  /** Makes {@code link} lead to {@code target}, at once for whoever looks. */
  static void swap(Path link, Path target) throws IOException {
    Path fresh = link.resolveSibling(link.getFileName() + ".new");
    Files.deleteIfExists(fresh);
    Files.createSymbolicLink(fresh, target);
    Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    syncDirectory(Objects.requireNonNull(link.toAbsolutePath().getParent()));
  }
}
