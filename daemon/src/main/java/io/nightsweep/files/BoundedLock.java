package io.nightsweep.files;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/**
 * A lock of a file, between processes, that is not waited for without end: another process may hold
 * it for as long as it likes, and a server of files whose lock service is gone never answers.
 */
public final class BoundedLock implements Closeable {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

  private final FileChannel channel;

  private BoundedLock(FileChannel channel) {
    this.channel = channel;
  }

  /** Another process held the lock for longer than it was waited for. */
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
   * Makes the file where there is none. Threads of this process exclude each other themselves.
   *
   * @throws HeldException where another process has it
   * @throws IOException where the file or its file system takes no lock
   */
  public static BoundedLock acquire(Path file, Duration patience)
      throws IOException, InterruptedException {
    // Opened for reading as well: so a pipe in its place does not block.
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

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
