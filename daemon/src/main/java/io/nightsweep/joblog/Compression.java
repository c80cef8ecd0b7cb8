package io.nightsweep.joblog;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** Recognises compressed logs by their first bytes, regardless of their names. */
final class Compression {
  private static final int MAGIC_BYTES = 6;
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
  private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};

  private static final int BUFFER = 1 << 16;

  /** Memory that unpacking xz -9 needs; a header can request gigabytes (xz(1), DecMem). */
  private static final int MOST_XZ_KIB = 66 << 10;

  private Compression() {}

  static boolean isCompressed(InputStream start) throws IOException {
    byte[] magic = start.readNBytes(MAGIC_BYTES);
    return begins(magic, GZIP) || begins(magic, XZ) || begins(magic, ZSTD);
  }

  /**
   * The decompressed content up to a damaged place, or the stream itself if it is not compressed.
   */
  static InputStream plain(InputStream raw) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER);
    in.mark(MAGIC_BYTES);
    byte[] magic = in.readNBytes(MAGIC_BYTES);
    in.reset();
    if (begins(magic, GZIP)) {
      return new Salvage(new GZIPInputStream(in, BUFFER));
    }
    if (begins(magic, XZ)) {
      return new Salvage(new XZInputStream(in, MOST_XZ_KIB));
    }
    return begins(magic, ZSTD) ? new Salvage(new ZstdInputStream(in)) : in;
  }

  private static boolean begins(byte[] bytes, byte[] magic) {
    return bytes.length >= magic.length
        && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
  }
}
