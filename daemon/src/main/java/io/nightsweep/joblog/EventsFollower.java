package io.nightsweep.joblog;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import io.nightsweep.files.ForeignFile;
import io.nightsweep.files.Unseen;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows one TensorBoard event file and turns each of its scalars into a line, a {@link Scalar}.
 * The file's content is not trusted: no link is followed, both checksums of each record must hold,
 * and a file is read up to {@link #MOST_BYTES}. Nothing is read after a damaged record, since only
 * its length shows where the next record begins.
 *
 * @see <a href="https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details">
 *     the frame of a record: length, its checksum, data, its checksum; little-endian</a>
 * @see <a href="https://github.com/tensorflow/tensorboard/tree/master/tensorboard/compat/proto">
 *     event.proto and summary.proto</a>
 */
final class EventsFollower implements Follower {
  /** A thousand times the size of a tuning run's file. */
  static final long MOST_BYTES = 64L << 20;

  /** A longer record holds pictures or histograms, and is skipped. */
  static final int MOST_RECORD = 1 << 20;

  private static final int HEADER = Long.BYTES + Integer.BYTES;
  private static final int FRAME = HEADER + Integer.BYTES;
  private static final int CHUNK = MOST_RECORD + FRAME;
  private static final int MOST_TAG = 200;
  private static final int MASK = 0xa282ead8;

  private static final int EVENT_STEP = 2;
  private static final int EVENT_SUMMARY = 5;
  private static final int SUMMARY_VALUE = 1;
  private static final int VALUE_TAG = 1;
  private static final int VALUE_SIMPLE = 2;

  private static final Logger LOG = LoggerFactory.getLogger(EventsFollower.class);

  private final Path file;
  private final StringBuilder lines = new StringBuilder();
  private long offset;
  private long bytesRead;
  private boolean isBegun;
  private boolean isDamaged;

  EventsFollower(Path file) {
    this.file = file;
  }

  @Override
  public boolean isOf(Path path) {
    return path.equals(file);
  }

  @Override
  public long bytes() {
    return offset;
  }

  @Override
  public long bytesRead() {
    return bytesRead;
  }

  @Override
  public boolean read(BlockBuffer buffer, long mostBytes, boolean isOver, BlockSink blocks)
      throws IOException {
    if (!isBegun) {
      blocks.file(file);
      isBegun = true;
    }
    try (FileChannel channel = ForeignFile.open(file)) {
      long end = Math.min(channel.size(), MOST_BYTES);
      long limit = mostBytes > end - offset ? end : offset + mostBytes;
      long before = -1;
      while (!isDamaged && offset < limit && offset != before) {
        before = offset;
        offset += records(chunk(channel, end));
        hand(buffer, blocks);
      }
      return isDamaged || (offset >= limit && limit == end) || offset == before;
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  private byte[] chunk(FileChannel channel, long end) throws IOException {
    byte[] bytes = new byte[(int) Math.min(CHUNK, end - offset)];
    ByteBuffer chunk = ByteBuffer.wrap(bytes);
    int read = 0;
    while (read >= 0 && chunk.hasRemaining()) {
      read = channel.read(chunk, offset + chunk.position());
    }
    bytesRead += chunk.position();
    return Arrays.copyOf(bytes, chunk.position());
  }

  /** Reads the complete records; returns how many bytes to advance. */
  private long records(byte[] bytes) {
    ByteBuffer numbers = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    while (bytes.length - at >= HEADER && !isDamaged) {
      long length = numbers.getLong(at);
      if (length < 0 || masked(bytes, at, Long.BYTES) != numbers.getInt(at + Long.BYTES)) {
        damaged("the length of a record", at);
      } else if (length > MOST_RECORD) {
        return at + Math.min(length, MOST_BYTES) + FRAME;
      } else if (bytes.length - at < length + FRAME) {
        break;
      } else {
        record(bytes, at + HEADER, (int) length, numbers.getInt(at + HEADER + (int) length));
        at += (int) length + FRAME;
      }
    }
    return at;
  }

  private void record(byte[] bytes, int from, int length, int checksum) {
    if (masked(bytes, from, length) != checksum) {
      damaged("a record", from - HEADER);
      return;
    }
    try {
      event(CodedInputStream.newInstance(bytes, from, length));
    } catch (IOException e) {
      damaged("an event (" + e.getMessage() + ")", from - HEADER);
    }
  }

  private void damaged(String what, int at) {
    isDamaged = true;
    LOG.warn("{}: {} at byte {} is damaged; what follows is not read", file, what, offset + at);
  }

  /** The checksum as stored in the file: rotated, and with a constant added. */
  private static int masked(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    int value = (int) crc.getValue();
    return ((value >>> 15) | (value << 17)) + MASK;
  }

  private void event(CodedInputStream in) throws IOException {
    long step = 0;
    byte[] summary = {};
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case EVENT_STEP -> step = in.readInt64();
        case EVENT_SUMMARY -> summary = in.readByteArray();
        default -> in.skipField(tag);
      }
    }
    if (step >= 0 && step <= Integer.MAX_VALUE) {
      summary(CodedInputStream.newInstance(summary), (int) step);
    }
  }

  private void summary(CodedInputStream in, int step) throws IOException {
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == SUMMARY_VALUE) {
        value(CodedInputStream.newInstance(in.readByteArray()), step);
      } else {
        in.skipField(tag);
      }
    }
  }

  /** Only scalars are read: texts, pictures and tensors are skipped. */
  private void value(CodedInputStream in, int step) throws IOException {
    String name = "";
    String simple = "";
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      switch (WireFormat.getTagFieldNumber(tag)) {
        case VALUE_TAG -> name = in.readString();
        // The shortest decimal form of the float, not the long form of its value as a double.
        case VALUE_SIMPLE -> simple = Float.toString(in.readFloat());
        default -> in.skipField(tag);
      }
    }
    if (!simple.isEmpty() && name.length() <= MOST_TAG && !Unseen.isIn(name)) {
      lines.append(new Scalar(step, Double.parseDouble(simple), name).line()).append('\n');
    }
  }

  /** Passes on blocks of whole lines. */
  private void hand(BlockBuffer buffer, BlockSink blocks) {
    byte[] all = lines.toString().getBytes(StandardCharsets.UTF_8);
    lines.setLength(0);
    int from = 0;
    while (from < all.length) {
      int to = Math.min(from + LogFollower.BLOCK, all.length);
      while (all[to - 1] != '\n') {
        to--;
      }
      buffer.put(all, from, to - from);
      blocks.block(buffer, 0, to - from);
      from = to;
    }
  }
}
