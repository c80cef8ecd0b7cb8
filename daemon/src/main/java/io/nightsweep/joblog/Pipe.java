package io.nightsweep.joblog;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Opens files that are not regular: standard input, a pipe of the shell, a named pipe. */
final class Pipe {
  /** By then, a program that writes into a named pipe should have opened it. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private Pipe() {}

  static InputStream open(Path path) throws IOException, InterruptedException {
    return open(path, PATIENCE);
  }

  /**
   * @throws IOException if nobody opens the other end in time
   */
  static InputStream open(Path path, Duration patience) throws IOException, InterruptedException {
    FutureTask<InputStream> opening = new FutureTask<>(() -> Files.newInputStream(path));
    Thread opener = new Thread(opening, "open " + path);
    opener.setDaemon(true);
    opener.start();
    try {
      return opening.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      release(path);
      throw new IOException(
          path
              + " is a pipe that no program writes to: nobody opened it within "
              + patience.toSeconds()
              + " s; start its writer first",
          e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    }
  }

  /**
   * Opens the named pipe for both ends, which never blocks, and so ends the wait of the blocked
   * thread.
   */
  private static void release(Path path) throws IOException {
    new RandomAccessFile(path.toFile(), "rw").close();
  }
}
