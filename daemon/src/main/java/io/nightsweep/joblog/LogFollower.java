package io.nightsweep.joblog;

import io.nightsweep.files.ForeignFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one growing file through rotation and truncation, and passes it on in blocks. Each byte
 * is read once, except for an unfinished last line, which is read again when it has grown. A
 * compressed file no longer grows and is read as a whole; a pipe or the like is read to its end.
 *
 * <p>The cuts do not depend on when the log is read: blocks hold whole lines, and a line that is
 * longer than a block is cut at multiples of the block size from its start. A carriage return also
 * ends a line, since progress bars use only carriage returns. Line numbers for people count only
 * line feeds, as editors do.
 */
final class LogFollower implements Follower {
  /** A block's size in bytes: it fits into a processor's second-level cache. */
  static final int BLOCK = 1 << 16;

  /**
   * The most that is read of one job file without a pause, including rotated parts and unpacked
   * content: a file of terabytes, or one that unpacks without end, would otherwise block its
   * reader. The last {@link #END} bytes are always read, since they show how the job ended.
   */
  static final long MOST_AT_ONCE = 512L << 20;

  static final long END = 16L << 20;

  /** This many bytes at the beginning distinguish a file from others. */
  private static final int HEAD = 1024;

  private static final Logger LOG = LoggerFactory.getLogger(LogFollower.class);

  private final boolean mayBePipe;
  private Path log;
  private @Nullable Object key;
  private Path file;

  /** The position in the file on disk. */
  private long offset;

  private long earlier;

  /** Bytes of text in the present file. */
  private long size;

  private long bytesRead;

  /** The beginning of the present file, as far as it was read; empty if it is compressed. */
  private byte[] head = new byte[0];

  /** The modification time at the last look. */
  private FileTime modified = FileTime.fromMillis(0);

  /** How much may still be read in this look. */
  private long left;

  /**
   * @param mayBePipe whether a person named the file. For a job's own files, a pipe or a device is
   *     never opened, since it could block the reader forever, no link is followed, and the amount
   *     that is read at once is limited
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
      for (Path rotated : RotatedParts.numbered(log, this::isRegular)) {
        begin(rotated, blocks);
        take(buffer, Long.MAX_VALUE, true, blocks);
      }
      begin(log, blocks);
    } else if (!key.equals(nowKey) || isAnother(now.get())) {
      catchUp(!key.equals(nowKey), buffer, blocks);
      begin(log, blocks);
    }
    key = nowKey;
    modified = now.get().lastModifiedTime();
    return take(buffer, mostBytes, isOver, blocks);
  }

  /**
   * Whether the file was emptied since, or replaced by a new file in the same place on disk. The
   * new content may already be longer than what was read before, but then begins differently; a
   * writer that continues at its old position leaves zeros before it.
   */
  private boolean isAnother(BasicFileAttributes now) throws IOException {
    if (now.size() < offset || head.length == 0 || now.lastModifiedTime().equals(modified)) {
      return now.size() < offset;
    }
    try (InputStream in = open(log)) {
      byte[] begins = in.readNBytes(head.length);
      return begins.length > 0 && begins[0] != 0 && !Arrays.equals(begins, head);
    }
  }

  /**
   * Reads the rest of the followed file, and all of the files that were begun and rotated since the
   * last look.
   *
   * @param isMoved whether the file was renamed rather than copied and emptied
   */
  private void catchUp(boolean isMoved, BlockBuffer buffer, BlockSink blocks) throws IOException {
    List<Path> siblings = RotatedParts.siblings(log, this::isRegular);
    List<Path> parts = RotatedParts.among(siblings, log);
    Optional<Path> old =
        (isMoved ? siblings.stream().filter(this::isFollowed).findFirst() : Optional.<Path>empty())
            .or(() -> parts.reversed().stream().filter(this::isCopy).findFirst());
    List<Path> later =
        old.isPresent() && parts.contains(old.get())
            ? RotatedParts.after(old.get(), parts, log)
            : parts.stream().filter(this::isWrittenSince).toList();
    if (old.isPresent()) {
      file = old.get();
      rest(buffer, blocks);
    }
    for (Path part : later) {
      begin(part, blocks);
      rest(buffer, blocks);
    }
  }

  /** Reads the rest of a part; an unreadable part is left out. */
  private void rest(BlockBuffer buffer, BlockSink blocks) {
    try {
      if (head.length > 0 && isCompressed()) {
        try (InputStream in = Compression.plain(open())) {
          in.skipNBytes(offset);
          size = offset;
          stream(in, buffer, blocks);
        }
      } else {
        take(buffer, Long.MAX_VALUE, true, blocks);
      }
    } catch (IOException e) {
      LOG.warn("a rotated part of a job's log cannot be read: {}", e.toString());
    }
  }

  private boolean isRegular(Path path) {
    return attributes(path).filter(BasicFileAttributes::isRegularFile).isPresent();
  }

  /**
   * Whether the path is the followed file under another name. A new file may have the place on disk
   * of a deleted one, so the beginnings are compared too.
   */
  private boolean isFollowed(Path path) {
    return attributes(path).map(BasicFileAttributes::fileKey).filter(k -> k.equals(key)).isPresent()
        && beginsAsBefore(path);
  }

  /** Whether the file begins with what was read of the followed file, compressed or not. */
  private boolean isCopy(Path path) {
    if (head.length == 0 || !beginsAsBefore(path)) {
      return false;
    }
    try (InputStream in = open(path)) {
      return Files.size(path) >= offset || Compression.isCompressed(in);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean beginsAsBefore(Path path) {
    try (InputStream in = Compression.plain(open(path))) {
      return Arrays.equals(in.readNBytes(head.length), head);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean isWrittenSince(Path path) {
    return attributes(path).filter(a -> a.lastModifiedTime().compareTo(modified) > 0).isPresent();
  }

  private void begin(Path next, BlockSink blocks) {
    earlier += size;
    file = next;
    offset = 0;
    size = 0;
    head = new byte[0];
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
    try (FileChannel channel = channel(file)) {
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
   * Where the next line begins; a line that does not end within the buffer is read from its middle.
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
    return open(file);
  }

  private InputStream open(Path path) throws IOException {
    return Channels.newInputStream(channel(path));
  }

  private FileChannel channel(Path path) throws IOException {
    return mayBePipe ? FileChannel.open(path) : ForeignFile.open(path);
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
    keepHead(bytes, position, length);
    buffer.breakAtReturns(0, length);
    return length;
  }

  private void keepHead(ByteBuffer bytes, long position, int length) {
    int known = head.length;
    if (known < HEAD && position <= known && position + length > known) {
      head = Arrays.copyOf(head, (int) Math.min(HEAD, position + length));
      bytes.get((int) (known - position), head, known, head.length - known);
    }
  }

  /** Reads the stream to its end, and combines small pieces into blocks. */
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

  /** Passes on the whole lines; returns their length. */
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
      // A block ends after its last line break, so it may be short; the rest comes first in the
      // next block.
      int to = isPiece ? most : newLine + 1;
      blocks.block(buffer, from, to);
      from = to;
    }
    return from;
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
