package io.nightsweep.joblog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The event file of a real training, intact and in states that a job may damage it to. */
@Tag("xla")
@Timeout(60)
class EventsFollowerTest {
  private static final Path REAL = Path.of("src/test/resources/events/maxtext-1.4.0.events");

  @TempDir private Path folder;
  private Path file;
  private byte[] real;

  private static final class Heard implements LogListener {
    private final PatternSet patterns = PatternSets.ofWords(List.of(Scalar.START));
    private final List<String> lines = new ArrayList<>();

    @Override
    public PatternSet patterns() {
      return patterns;
    }

    @Override
    public void line(Line line, int[] candidates) {
      lines.add(line.text());
    }
  }

  @BeforeEach
  void readTheRealFile() throws IOException {
    real = Files.readAllBytes(REAL);
    file = folder.resolve("events.out.tfevents.1.n1");
  }

  @Test
  void eachScalarIsALine() throws IOException {
    assertThat(heard(REAL))
        .hasSize(15 * 13)
        .startsWith("tensorboard scalar 0 0.9999996 learning/grad_norm")
        .contains(
            "tensorboard scalar 0 12.808153 perf/step_time_seconds",
            "tensorboard scalar 14 0.0 learning/moe_lb_loss");
    assertThat(Scalar.parse("tensorboard scalar 14 NaN learning/loss of it").orElseThrow())
        .isEqualTo(new Scalar(14, Double.NaN, "learning/loss of it"));
    assertThat(Scalar.parse("tensorboard scalar 1e3 2 a")).isEmpty();
    assertThat(Scalar.parse("completed step: 14")).isEmpty();
  }

  @Test
  void whatIsHeardDoesNotDependOnHowTheFileGrows() throws IOException {
    Random random = new Random(7);
    Heard heard = new Heard();
    JobLog log = following(heard);
    assertThat(log.look()).as("it is not there yet").isTrue();
    int length = 0;
    while (length < real.length) {
      length = Math.min(real.length, length + 1 + random.nextInt(200));
      Files.write(file, Arrays.copyOf(real, length));
      assertThat(log.look()).isTrue();
    }
    assertThat(heard.lines).isEqualTo(heard(REAL));
  }

  @Test
  void behindADamagedRecordNothingIsRead() throws IOException {
    List<String> whole = heard(REAL);
    for (int at : new int[] {3, 9, 5000, 5003, 5009}) {
      byte[] spoilt = real.clone();
      spoilt[at] ^= 1;
      Files.write(file, spoilt);
      List<String> left = heard(file);
      assertThat(left).as("byte %s", at).hasSizeLessThan(whole.size());
      assertThat(whole.subList(0, left.size())).isEqualTo(left);
    }
  }

  @Test
  void anyBytesAreReadToAnEnd() throws IOException {
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      // The checksums are correct, so the record's content is read.
      byte[] data = new byte[random.nextInt(60)];
      random.nextBytes(data);
      byte[] value = {0x2a, (byte) (data.length + 2), 0x0a, (byte) data.length};
      Files.write(file, framed(i % 2 == 0 ? data : joined(value, data)));
      heard(file);
    }
    // An impossible step, and a name that moves a terminal's cursor.
    byte[] scalar = bytes(0x2a, 0x0a, 0x0a, 0x08, 0x0a, 0x01, 'a', 0x15, 0, 0, 0, 0x40);
    byte[] escape = bytes(0x2a, 0x0a, 0x0a, 0x08, 0x0a, 0x01, 0x1b, 0x15, 0, 0, 0, 0x40);
    byte[] far = joined(bytes(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f), scalar);
    byte[] behind = joined(scalar, bytes(0x10, 9));
    Files.write(
        file, joined(joined(framed(far), framed(escape)), joined(framed(scalar), framed(behind))));
    assertThat(heard(file))
        .containsExactly("tensorboard scalar 0 2.0 a", "tensorboard scalar 9 2.0 a");
  }

  @Test
  void aPictureIsPassedOverAndAFileOfGigabytesReadToALimit() throws IOException {
    List<String> whole = heard(REAL);
    Files.write(file, joined(framed(new byte[EventsFollower.MOST_RECORD + 1]), real));
    assertThat(heard(file)).isEqualTo(whole);

    try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
      sparse.setLength(0);
      sparse.write(real);
      sparse.write(header(8L << 30));
      sparse.seek(8L << 30);
      sparse.write(real);
    }
    JobLog log = following(new Heard());
    log.finish();
    assertThat(log.bytesRead()).isLessThan(2 * EventsFollower.MOST_BYTES);
    assertThat(heard(file)).isEqualTo(whole);
  }

  @Test
  void aLinkIsNotFollowedAndAPipeIsNotOpened() throws Exception {
    Files.createSymbolicLink(file, REAL.toAbsolutePath());
    assertThatThrownBy(() -> heard(file))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("a link");
    Files.delete(file);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> heard(file)).hasMessageContaining("a pipe or a device");
  }

  private List<String> heard(Path events) throws IOException {
    Heard heard = new Heard();
    JobLog log = following(heard, events);
    log.finish();
    return heard.lines;
  }

  private JobLog following(Heard heard) {
    return following(heard, file);
  }

  private static JobLog following(Heard heard, Path events) {
    JobLog log =
        new JobLog(() -> List.of(new LogFile(events, new Rank(-1, "events"), LogFile.Form.EVENTS)));
    log.listener(Heard.class, () -> heard);
    return log;
  }

  /** The data with its length and both checksums, in the file's format. */
  private static byte[] framed(byte[] data) {
    return joined(joined(header(data.length), data), checksum(data));
  }

  private static byte[] header(long length) {
    byte[] bytes =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(length).array();
    return joined(bytes, checksum(bytes));
  }

  private static byte[] checksum(byte[] data) {
    CRC32C crc = new CRC32C();
    crc.update(data);
    int masked = Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(masked).array();
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
