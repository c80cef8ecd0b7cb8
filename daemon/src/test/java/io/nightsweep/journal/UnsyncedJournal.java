package io.nightsweep.journal;

import io.nightsweep.sweep.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Opens journals for tests of what is in them: no entry waits for the disk. */
public final class UnsyncedJournal {
  private UnsyncedJournal() {}

  /** Like {@link FileJournal#open}; what it writes would not survive a power cut. */
  public static FileJournal open(Path file, Consumer<Entry> replay) throws IOException {
    return FileJournal.open(file, replay, UnsyncedJournal::unsynced);
  }

  private static AppendFile unsynced(Path file) throws IOException {
    if (Files.notExists(file)) {
      Files.createFile(file);
    }
    AppendFile disk = AppendFile.open(file);
    return new AppendFile() {
      @Override
      public void write(long position, byte[] bytes) throws IOException {
        disk.write(position, bytes);
      }

      @Override
      public void truncate(long length) throws IOException {
        disk.truncate(length);
      }

      @Override
      public void sync() {}

      @Override
      public void close() throws IOException {
        disk.close();
      }
    };
  }
}
