package io.nightsweep.agent;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CountDownLatch;

/**
 * A client's input, which ends where a line is longer than any message of the protocol needs: a
 * client that sends a hundred megabytes without a line's end costs one megabyte.
 */
final class LimitedLines extends FilterInputStream {
  static final int LONGEST = 1 << 20;

  private final CountDownLatch ended = new CountDownLatch(1);
  private int length;

  LimitedLines(InputStream in) {
    super(in);
  }

  void awaitEnd() throws InterruptedException {
    ended.await();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int most) throws IOException {
    int count = length > LONGEST ? -1 : super.read(buffer, offset, most);
    for (int i = offset; i < offset + count; i++) {
      length = buffer[i] == '\n' ? 0 : length + 1;
    }
    if (count < 0 || length > LONGEST) {
      ended.countDown();
      return -1;
    }
    return count;
  }
}
