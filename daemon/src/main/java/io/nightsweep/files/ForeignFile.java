package io.nightsweep.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * Reads a file that a job wrote. A job may put anything in its place: a pipe, which blocks whoever
 * opens it; a link to a private file of this user; a file of terabytes.
 */
public final class ForeignFile {
  private ForeignFile() {}

  /**
   * Opens a regular file for reading; the last part of the path must not be a link.
   *
   * @throws java.nio.file.NoSuchFileException where there is none
   * @throws IOException where it is a pipe, a device, a directory or a link
   */
  public static FileChannel open(Path file) throws IOException {
    requireRegular(file);
    return unfollowed(file, StandardOpenOption.READ);
  }

  /** Opens the file without following a link, even one that a job creates after the check. */
  static FileChannel unfollowed(Path file, StandardOpenOption how) throws IOException {
    return FileChannel.open(file, how, LinkOption.NOFOLLOW_LINKS);
  }

  static void requireRegular(Path file) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isRegularFile()) {
      throw new IOException(file + " is " + kind(attributes).words + " and not a regular file");
    }
  }

  /** What a job can put in the place of a file. */
  public enum Kind {
    LINK("a link"),
    DIRECTORY("a directory"),
    PIPE_OR_DEVICE("a pipe or a device");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  /** What is in the place of a regular file; empty where a regular file or nothing is there. */
  public static Optional<Kind> inPlaceOf(Path file) {
    try {
      return Optional.of(
              Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS))
          .filter(attributes -> !attributes.isRegularFile())
          .map(ForeignFile::kind);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Prepares a place for appending: removes anything other than a regular file.
   *
   * @throws IOException where it is a folder that is not empty
   */
  public static void removeUnlessRegular(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * The whole content of a small regular file.
   *
   * @throws IOException where it is longer than {@code mostBytes}, or for the reasons of {@link
   *     #open}
   */
  public static byte[] read(Path file, int mostBytes) throws IOException {
    try (FileChannel channel = open(file)) {
      if (channel.size() > mostBytes) {
        throw new IOException(
            file + " has " + channel.size() + " bytes; at most " + mostBytes + " are read");
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) channel.size());
      while (bytes.hasRemaining() && channel.read(bytes) >= 0) {}
      byte[] read = new byte[bytes.position()];
      bytes.flip().get(read);
      return read;
    }
  }

  private static Kind kind(BasicFileAttributes attributes) {
    return attributes.isSymbolicLink()
        ? Kind.LINK
        : attributes.isDirectory() ? Kind.DIRECTORY : Kind.PIPE_OR_DEVICE;
  }
}
