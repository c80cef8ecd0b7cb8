package io.nightsweep.cluster;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads one output of a child process while it runs, so that the child never blocks on a full pipe.
 */
final class Drain {
  private static final int MOST_BYTES = 16 << 20;
  private static final int BLOCK_BYTES = 1 << 13;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean isTooLong;

  Drain(InputStream stream) {
    Thread.ofVirtual().start(() -> read(stream));
  }

  private void read(InputStream stream) {
    try (stream) {
      byte[] block = new byte[BLOCK_BYTES];
      for (int count = stream.read(block); count >= 0; count = stream.read(block)) {
        if (bytes.size() + count > MOST_BYTES) {
          isTooLong = true;
          return;
        }
        bytes.write(block, 0, count);
      }
    } catch (IOException e) {
      // The pipe breaks when the process is killed; the exit code shows that.
    } finally {
      ended.countDown();
    }
  }

  /**
   * The output so far. Waits at most {@code patience} for its end, since a child left behind by the
   * process (such as ssh's ControlPersist) can hold the stream open for ever.
   *
   * @throws IOException where it is more than 16 MiB
   */
  String text(Duration patience) throws IOException, InterruptedException {
    boolean unused = ended.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    if (isTooLong) {
      throw new IOException("answered more than 16 MiB");
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
