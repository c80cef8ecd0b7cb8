package io.nightsweep.triage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows a growing log through rotation and truncation, and hands it on in blocks. Each byte is
 * read once, but for an unfinished last line, which is read again when it has grown.
 *
 * <p>Where the log is cut does not depend on when it is looked at: blocks hold whole lines, and a
 * line that is longer than a block is cut at multiples of a block's size from its start.
 */
final class LogFollower {
  /** A block's size in bytes: what stays in a processor's second cache. */
  static final int BLOCK = 1 << 16;

  /** What follows is handed blocks. */
  interface Blocks {
    /** Blocks of this file follow, from its start. */
    void file(Path file);

    void block(BlockBuffer buffer, int from, int to);
  }

  private final Path log;
  private @Nullable Object key;
  private Path file;
  private long offset;
  private long earlier;
  private long size;

  LogFollower(Path log) {
    this.log = log;
    this.file = log;
  }

  /** Bytes of the log, those of its rotated parts included. */
  long bytes() {
    return earlier + size;
  }

  /** Whether nothing is left to be read but perhaps an unfinished line. */
  boolean read(BlockBuffer buffer, long mostBytes, boolean isOver, Blocks blocks)
      throws IOException {
    Optional<BasicFileAttributes> now = attributes(log);
    if (now.isEmpty()) {
      return true;
    }
    Object nowKey = Objects.requireNonNullElse(now.get().fileKey(), log);
    if (key == null) {
      for (Path rotated : rotated()) {
        begin(rotated, blocks);
        take(buffer, Long.MAX_VALUE, true, blocks);
      }
    } else if (!key.equals(nowKey)) {
      Optional<Path> old = sibling(key);
      if (old.isPresent()) {
        file = old.get();
        take(buffer, Long.MAX_VALUE, true, blocks);
      }
    }
    if (!nowKey.equals(key)) {
      begin(log, blocks);
      key = nowKey;
    } else if (now.get().size() < offset) {
      begin(log, blocks);
    }
    return take(buffer, mostBytes, isOver, blocks);
  }

  private void begin(Path next, Blocks blocks) {
    earlier += size;
    file = next;
    offset = 0;
    size = 0;
    blocks.file(next);
  }

  private boolean take(BlockBuffer buffer, long mostBytes, boolean isOver, Blocks blocks)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      size = channel.size();
      long limit = mostBytes > size - offset ? size : offset + mostBytes;
      ByteBuffer bytes = buffer.bytes();
      while (offset < limit) {
        bytes.clear();
        int length = fill(channel, bytes, offset);
        int used = cut(buffer, length, isOver && offset + length >= size, blocks);
        if (used == 0) {
          break;
        }
        offset += used;
      }
      return limit == size;
    }
  }

  private static int fill(FileChannel channel, ByteBuffer bytes, long position) throws IOException {
    int length = 0;
    while (bytes.hasRemaining()) {
      int read = channel.read(bytes, position + length);
      if (read <= 0) {
        break;
      }
      length += read;
    }
    return length;
  }

  /** Hands on what is whole; answers how much that was. */
  private int cut(BlockBuffer buffer, int length, boolean toTheEnd, Blocks blocks) {
    int from = 0;
    while (from < length) {
      int most = Math.min(length, from + BLOCK);
      int newLine = buffer.lastNewLine(from, most);
      boolean isPiece = newLine < 0;
      if (isPiece && most - from < BLOCK && !toTheEnd) {
        break;
      }
      // The last block of what was read may be short; its rest comes first in the next.
      int to = isPiece ? most : newLine + 1;
      blocks.block(buffer, from, to);
      from = to;
    }
    return from;
  }

  /** {@code log.2}, {@code log.1}: the oldest first. */
  private List<Path> rotated() {
    List<Path> found = new ArrayList<>();
    for (int i = 1; i < 100; i++) {
      Path older = log.resolveSibling(log.getFileName() + "." + i);
      if (!Files.isRegularFile(older)) {
        break;
      }
      found.add(older);
    }
    Collections.reverse(found);
    return found;
  }

  private Optional<Path> sibling(Object wanted) throws IOException {
    Path folder = log.toAbsolutePath().getParent();
    if (folder == null) {
      return Optional.empty();
    }
    String name = String.valueOf(log.getFileName());
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(folder, f -> String.valueOf(f.getFileName()).startsWith(name))) {
      for (Path candidate : files) {
        if (attributes(candidate)
            .map(BasicFileAttributes::fileKey)
            .filter(wanted::equals)
            .isPresent()) {
          return Optional.of(candidate);
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<BasicFileAttributes> attributes(Path path) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      return attributes.isRegularFile() ? Optional.of(attributes) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
