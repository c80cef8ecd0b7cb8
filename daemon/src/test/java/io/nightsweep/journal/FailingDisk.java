package io.nightsweep.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;

/** A real file with operations that fail on demand, as on a full or broken disk. */
final class FailingDisk {
  private int room = -1;
  private int syncsToFail;
  private int truncatesToFail;

  void failWriteAfter(int bytes) {
    room = bytes;
  }

  void failSyncs(int count) {
    syncsToFail = count;
  }

  /** Counted from the next write. */
  void failTruncates(int count) {
    truncatesToFail = count;
  }

  AppendFile over(Path file) throws IOException {
    AppendFile real = AppendFile.open(file);
    return new AppendFile() {
      private boolean wrote;

      @Override
      public void write(long position, byte[] bytes) throws IOException {
        wrote = true;
        if (room < 0) {
          real.write(position, bytes);
          return;
        }
        int written = Math.min(room, bytes.length);
        room = -1;
        real.write(position, Arrays.copyOf(bytes, written));
        throw new IOException("No space left on device");
      }

      @Override
      public void truncate(long length) throws IOException {
        if (wrote && truncatesToFail-- > 0) {
          throw new IOException("Input/output error");
        }
        wrote = false;
        real.truncate(length);
      }

      @Override
      public void sync() throws IOException {
        if (syncsToFail-- > 0) {
          throw new IOException("Input/output error");
        }
        real.sync();
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }
}
