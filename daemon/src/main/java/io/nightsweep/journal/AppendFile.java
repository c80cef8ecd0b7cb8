package io.nightsweep.journal;

import io.nightsweep.files.OwnFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/**
 * The few disk operations that the journal needs, in an interface so that tests can make each of
 * them fail.
 */
interface AppendFile extends AutoCloseable {
  /** If this method throws, a part of the bytes may have been written. */
  void write(long position, byte[] bytes) throws IOException;

  void truncate(long length) throws IOException;

  void sync() throws IOException;

  @Override
  void close() throws IOException;

  /** Opens or creates the file; when this returns, a new file's directory entry is durable. */
  static AppendFile open(Path file) throws IOException {
    boolean isNew = !Files.exists(file);
    OwnFile.create(file);
    // Not a FileChannel, since an interrupt during a write would close it.
    RandomAccessFile access = new RandomAccessFile(file.toFile(), "rw");
    if (isNew) {
      access.getFD().sync();
      syncDirectoryOf(file);
    }
    return new AppendFile() {
      @Override
      public void write(long position, byte[] bytes) throws IOException {
        access.seek(position);
        access.write(bytes);
      }

      @Override
      public void truncate(long length) throws IOException {
        access.setLength(length);
      }

      @Override
      public void sync() throws IOException {
        access.getFD().sync();
      }

      @Override
      public void close() throws IOException {
        access.close();
      }
    };
  }

  /** Makes the file's name durable. */
  static void syncDirectoryOf(Path file) throws IOException {
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent());
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }
}
