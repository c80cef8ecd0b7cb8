package io.nightsweep.journal;

import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The journal as a file of JSON lines, owned by one process at a time.
 *
 * <p>Not safe for use by several threads.
 */
public final class FileJournal implements Journal {
  private final OwnerLock lock;
  private final AppendFile disk;
  private final Optional<Cut> cut;
  private long length;
  private long lastSeq;
  private boolean tailIsOpen;

  /**
   * A torn or damaged tail that was removed after the last whole event.
   *
   * @param keptIn file with the removed bytes
   */
  public record Cut(Path journal, long events, long bytes, Path keptIn) {
    public String message() {
      return "%s: %d bytes after event %d were not a whole event (a write that never ended, or a damaged disk); they are kept in %s, and the sweep goes on from event %d"
          .formatted(journal, bytes, events, keptIn.getFileName(), events);
    }
  }

  private FileJournal(OwnerLock lock, AppendFile disk, Optional<Cut> cut, JournalReader.Tail tail) {
    this.lock = lock;
    this.disk = disk;
    this.cut = cut;
    length = tail.wholeBytes();
    lastSeq = tail.events();
    tailIsOpen = !tail.isTerminated();
  }

  /**
   * Opens or creates a journal and passes each of its events to {@code replay}.
   *
   * @throws OwnedElsewhereException if another live process drives this sweep
   * @throws JournalCorruptException if the damage is not at the end
   */
  public static FileJournal open(Path file, Consumer<Entry> replay) throws IOException {
    return open(file, replay, AppendFile::open);
  }

  interface DiskOpener {
    AppendFile open(Path file) throws IOException;
  }

  static FileJournal open(Path file, Consumer<Entry> replay, DiskOpener opener) throws IOException {
    OwnerLock lock = OwnerLock.acquire(file.resolveSibling(file.getFileName() + ".owner"));
    try {
      AppendFile disk = opener.open(file);
      try {
        JournalReader.Tail tail = JournalReader.read(file, replay);
        Optional<Cut> cut = cutBack(file, disk, tail);
        return new FileJournal(lock, disk, cut, tail);
      } catch (IOException | RuntimeException | VirtualMachineError e) {
        disk.close();
        throw e;
      }
    } catch (IOException | RuntimeException | VirtualMachineError e) {
      lock.close();
      throw e;
    }
  }

  /** The tail that was removed on opening. */
  public Optional<Cut> cut() {
    return cut;
  }

  /**
   * @throws IllegalArgumentException if an event could not be read back; nothing is then written
   */
  @Override
  public List<Entry> append(Instant at, List<Event> events) throws IOException {
    List<Entry> entries = new ArrayList<>(events.size());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (tailIsOpen) {
      bytes.write('\n');
    }
    for (Event event : events) {
      Entry entry = new Entry(lastSeq + entries.size() + 1, at, event);
      int before = bytes.size();
      LineCodec.CURRENT.encode(entry, bytes);
      if (bytes.size() - before > ByteLines.LONGEST_LINE_BYTES) {
        throw new IllegalArgumentException(
            "an event of %d bytes is too long for the journal".formatted(bytes.size() - before));
      }
      entries.add(entry);
    }
    if (entries.isEmpty()) {
      return List.of();
    }
    write(bytes.toByteArray());
    lastSeq += entries.size();
    tailIsOpen = false;
    return List.copyOf(entries);
  }

  private void write(byte[] bytes) throws IOException {
    try {
      // This also removes what an earlier failed append could not remove.
      disk.truncate(length);
      disk.write(length, bytes);
      disk.sync();
    } catch (IOException e) {
      takeBack(e);
      throw e;
    }
    length += bytes.length;
  }

  private void takeBack(IOException cause) {
    try {
      disk.truncate(length);
      disk.sync();
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      disk.close();
    } finally {
      lock.close();
    }
  }

  private static Optional<Cut> cutBack(Path file, AppendFile disk, JournalReader.Tail tail)
      throws IOException {
    if (tail.strayBytes() == 0) {
      return Optional.empty();
    }
    Path kept = keepAside(file, tail.wholeBytes());
    disk.truncate(tail.wholeBytes());
    disk.sync();
    return Optional.of(new Cut(file, tail.events(), tail.strayBytes(), kept));
  }

  private static Path keepAside(Path file, long from) throws IOException {
    int n = 1;
    Path kept = file.resolveSibling(file.getFileName() + ".cut-" + n);
    while (Files.exists(kept)) {
      n++;
      kept = file.resolveSibling(file.getFileName() + ".cut-" + n);
    }
    try (InputStream in = Files.newInputStream(file);
        FileChannel out =
            FileChannel.open(kept, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      in.skipNBytes(from);
      in.transferTo(Channels.newOutputStream(out));
      out.force(true);
    } catch (IOException e) {
      Files.deleteIfExists(kept);
      throw new IOException(
          "the damaged end of "
              + file
              + " could not be kept aside in "
              + kept.getFileName()
              + " ("
              + e.getMessage()
              + "); nothing was cut. Make room on the disk and start again.",
          e);
    }
    AppendFile.syncDirectoryOf(file);
    return kept;
  }
}
