package io.nightsweep.joblog;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The readable content of a compressed log. A damaged log, or one copied while it was written, ends
 * where its readable text ends; if it contains no text, the error is thrown.
 */
final class Salvage extends FilterInputStream {
  private static final Logger LOG = LoggerFactory.getLogger(Salvage.class);

  private long read;
  private boolean isOver;

  Salvage(InputStream unpacked) {
    super(unpacked);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    if (isOver) {
      return -1;
    }
    try {
      int count = super.read(into, from, most);
      read += Math.max(count, 0);
      return count;
    } catch (IOException e) {
      if (read == 0) {
        throw e;
      }
      isOver = true;
      LOG.warn(
          "the compressed log breaks off after {} bytes of text ({}); they are judged",
          read,
          e.getMessage());
      return -1;
    }
  }
}
