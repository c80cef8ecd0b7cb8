package io.nightsweep.joblog;

import io.nightsweep.files.ForeignFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows one growing file through rotation and truncation, and hands it on in blocks. Each byte is
 * read once, but for an unfinished last line, which is read again when it has grown. What is
 * compressed grows no more and is read whole; what is no file, such as a pipe, is read to its end.
 *
 * <p>Where the log is cut does not depend on when it is looked at: blocks hold whole lines, and a
 * line that is longer than a block is cut at multiples of a block's size from its start. A carriage
 * return ends a line too: progress bars are written with them alone. The number that people are
 * told counts line feeds alone, as editors do.
 */
final class LogFollower implements Follower {
  /** A block's size in bytes: what stays in a processor's second cache. */
  static final int BLOCK = 1 << 16;

  /**
   * Of a job's files no more is read without a pause, rotated parts and what is packed in
   * compressed ones included: a file of terabytes or one that unpacks for ever would hold its
   * reader for as long. The last {@link #END} bytes, which tell how the job ended, are read all the
   * same.
   */
  static final long MOST_AT_ONCE = 512L << 20;

  static final long END = 16L << 20;

  private static final int MOST_ROTATED = 100;
  private static final List<String> ENDINGS = List.of("", ".gz", ".xz", ".zst");

  private final boolean mayBePipe;
  private Path log;
  private @Nullable Object key;
  private Path file;

  /** The position in the file as it lies there. */
  private long offset;

  private long earlier;

  /** Bytes of text in the present file. */
  private long size;

  private long bytesRead;

  /** How much may still be read at this look. */
  private long left;

  /**
   * @param mayBePipe whether a person named the file: of a job's own files a pipe or a device is
   *     never opened, since it could hold the reader for ever, no link is followed, and there is a
   *     limit to what is read at once
   */
  LogFollower(Path log, boolean mayBePipe) {
    this.log = log;
    this.mayBePipe = mayBePipe;
    this.file = log;
  }

  @Override
  public boolean isOf(Path path) {
    if (path.equals(log)) {
      return true;
    }
    boolean isRenamed =
        key != null
            && attributes(log).isEmpty()
            && attributes(path).map(BasicFileAttributes::fileKey).filter(key::equals).isPresent();
    if (isRenamed) {
      log = path;
      file = path;
    }
    return isRenamed;
  }

  @Override
  public long bytes() {
    return earlier + size;
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public boolean read(BlockBuffer buffer, long mostBytes, boolean isOver, BlockSink blocks)
      throws IOException {
    left = mayBePipe ? Long.MAX_VALUE : MOST_AT_ONCE;
    Optional<BasicFileAttributes> now = attributes(log);
    if (now.isEmpty() || now.get().isDirectory() || now.get().isSymbolicLink()) {
      return true;
    }
    if (now.get().isOther()) {
      return !mayBePipe || pipe(buffer, blocks);
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

  private void begin(Path next, BlockSink blocks) {
    earlier += size;
    file = next;
    offset = 0;
    size = 0;
    blocks.file(next);
  }

  private boolean pipe(BlockBuffer buffer, BlockSink blocks) throws IOException {
    if (key == null) {
      key = log;
      begin(log, blocks);
      try (InputStream in = Compression.plain(Pipe.open(log))) {
        stream(in, buffer, blocks);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + log + " was opened");
      }
    }
    return true;
  }

  private boolean take(BlockBuffer buffer, long mostBytes, boolean isOver, BlockSink blocks)
      throws IOException {
    if (offset == 0 && isCompressed()) {
      offset = Files.size(file);
      try (InputStream in = Compression.plain(open())) {
        stream(in, buffer, blocks);
      }
      return true;
    }
    try (FileChannel channel = channel()) {
      long end = channel.size();
      size = Math.max(size, end);
      long most = Math.min(mostBytes, left);
      long limit = most > end - offset ? end : offset + most;
      hand(channel, limit, isOver, buffer, blocks);
      if (isOver && limit < end && file.equals(log)) {
        if (end - END > offset) {
          blocks.file(file.resolveSibling(file.getFileName() + " (its end)"));
          offset = end - END;
          offset = afterLine(channel, buffer);
        }
        hand(channel, end, true, buffer, blocks);
        return true;
      }
      return limit == end;
    }
  }

  private void hand(
      FileChannel channel, long limit, boolean isOver, BlockBuffer buffer, BlockSink blocks)
      throws IOException {
    while (offset < limit) {
      int length = fill(channel, buffer, offset);
      int used = cut(buffer, length, isOver && offset + length >= channel.size(), blocks);
      if (used == 0) {
        break;
      }
      offset += used;
      left -= used;
    }
  }

  /**
   * Where the next line begins; a line that does not end within the buffer is read on from its
   * middle.
   */
  private long afterLine(FileChannel channel, BlockBuffer buffer) throws IOException {
    int length = fill(channel, buffer, offset);
    int newLine = buffer.nextNewLine(0, length);
    return newLine < length ? offset + newLine + 1 : offset;
  }

  private boolean isCompressed() throws IOException {
    try (InputStream in = open()) {
      return Compression.isCompressed(in);
    }
  }

  private InputStream open() throws IOException {
    return Channels.newInputStream(channel());
  }

  private FileChannel channel() throws IOException {
    return mayBePipe ? FileChannel.open(file) : ForeignFile.open(file);
  }

  private int fill(FileChannel channel, BlockBuffer buffer, long position) throws IOException {
    ByteBuffer bytes = buffer.bytes().clear();
    int length = 0;
    while (bytes.hasRemaining()) {
      int read = channel.read(bytes, position + length);
      if (read <= 0) {
        break;
      }
      length += read;
    }
    bytesRead += length;
    buffer.breakAtReturns(0, length);
    return length;
  }

  /** To its end; what comes in small pieces is gathered to blocks. */
  private void stream(InputStream in, BlockBuffer buffer, BlockSink blocks) throws IOException {
    byte[] piece = new byte[BLOCK];
    ByteBuffer bytes = buffer.bytes();
    int held = 0;
    int read = 0;
    while (read >= 0 && left > 0) {
      read = in.readNBytes(piece, 0, Math.min(piece.length, bytes.capacity() - held));
      boolean isEnd = read == 0;
      bytes.put(held, piece, 0, read);
      buffer.breakAtReturns(Math.max(0, held - 1), held + read);
      held += read;
      size += read;
      bytesRead += read;
      left -= read;
      if (isEnd || bytes.capacity() - held < piece.length) {
        int used = cut(buffer, held, isEnd, blocks);
        held = buffer.moveToFront(used, held);
      }
      read = isEnd ? -1 : read;
    }
  }

  /** Hands on what is whole; answers how much that was. */
  private static int cut(BlockBuffer buffer, int length, boolean toTheEnd, BlockSink blocks) {
    int from = 0;
    while (from < length) {
      int most = Math.min(length, from + BLOCK);
      int newLine = buffer.lastNewLine(from, most);
      boolean isPiece = newLine < 0;
      boolean mayGrow = most - from < BLOCK || (most == length && buffer.isUndecided(most - 1));
      if (isPiece && mayGrow && !toTheEnd) {
        break;
      }
      // The last block of what was read may be short; its rest comes first in the next.
      int to = isPiece ? most : newLine + 1;
      blocks.block(buffer, from, to);
      from = to;
    }
    return from;
  }

  /** {@code log.2}, {@code log.1.gz}: the oldest first. */
  private List<Path> rotated() {
    List<Path> found = new ArrayList<>();
    for (int i = 1; i < MOST_ROTATED; i++) {
      String name = log.getFileName() + "." + i;
      Optional<Path> older =
          ENDINGS.stream()
              .map(ending -> log.resolveSibling(name + ending))
              .filter(f -> attributes(f).filter(BasicFileAttributes::isRegularFile).isPresent())
              .findFirst();
      if (older.isEmpty()) {
        break;
      }
      found.add(older.get());
    }
    Collections.reverse(found);
    return found;
  }

  private Optional<Path> sibling(Object wanted) throws IOException {
    Path folder = log.toAbsolutePath().getParent();
    // Listing what a job put in its folder's place, such as a pipe, would block.
    if (folder == null || !Files.isDirectory(folder)) {
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

  private Optional<BasicFileAttributes> attributes(Path path) {
    try {
      return Optional.of(
          mayBePipe
              ? Files.readAttributes(path, BasicFileAttributes.class)
              : Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
