package io.nightsweep.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A file lock between processes with a limited wait: another process may hold the lock for any
 * time, and a file server without its lock service never answers.
 */
public final class BoundedLock implements Closeable {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final FileChannel channel;

  private BoundedLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Another process held the lock for the whole wait. */
  public static final class HeldException extends IOException {
    private static final long serialVersionUID = 1L;

    private HeldException(Path file, Duration patience) {
      super(
          "another process has held the lock of "
              + file
              + " for longer than "
              + patience.toSeconds()
              + " s; 'lslocks' or 'fuser' names it");
    }
  }

  /**
   * Acquires the lock; creates the file if needed. Threads of this process must exclude each other
   * themselves.
   *
   * @throws HeldException where another process has it
   * @throws IOException where the file or its file system supports no lock
   */
  public static BoundedLock acquire(Path file, Duration patience)
      throws IOException, InterruptedException {
    // Opened for reading too, so that a pipe in its place does not block.
    FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS);
    boolean isLocked = false;
    try {
      long giveUp = System.nanoTime() + patience.toNanos();
      while (channel.tryLock() == null) {
        if (System.nanoTime() > giveUp) {
          throw new HeldException(file, patience);
        }
        Thread.sleep(LOOK_AGAIN);
      }
      isLocked = true;
      return new BoundedLock(channel);
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
