package io.nightsweep.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.nightsweep.journal.Redaction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are not polite, at the door that a real one comes through. */
@Tag("agent")
@Timeout(120)
class McpDoorTest {
  private static final String HELLO =
      """
      {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
      {"jsonrpc": "2.0", "method": "notifications/initialized"}
      """;

  @TempDir private Path folder;
  private final AtomicInteger commands = new AtomicInteger();

  private String served(InputStream in) throws InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Seat seat =
        new Seat(
            "bob",
            folder,
            arguments -> {
              commands.incrementAndGet();
              return new Commands.Outcome(0, "x".repeat(100 << 20), "");
            },
            Redaction.byForm(),
            InstantSource.system());
    McpDoor.serve(seat, "1", in, out);
    return out.toString(UTF_8);
  }

  @Test
  void aClientThatDisconnectsInTheMiddleOfAMessageEndsItsOwnDoorAlone() throws Exception {
    for (String sent :
        List.of("", HELLO.substring(0, 40), HELLO + "{\"jsonrpc\": \"2.0\", \"id\"")) {
      assertThatCode(() -> served(new ByteArrayInputStream(sent.getBytes(UTF_8))))
          .doesNotThrowAnyException();
    }
    assertThat(commands).hasValue(0);
  }

  @Test
  void aLineOfAHundredMegabytesIsNotReadToItsEnd() throws Exception {
    AtomicLong read = new AtomicLong();
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return read.incrementAndGet() > 100L << 20 ? -1 : 'x';
          }

          @Override
          public int read(byte[] into, int from, int most) throws IOException {
            if (read.addAndGet(most) > 100L << 20) {
              return -1;
            }
            java.util.Arrays.fill(into, from, from + most, (byte) 'x');
            return most;
          }
        };
    served(endless);
    assertThat(read.get()).isLessThan(2 * LimitedLines.LONGEST);
  }

  /** A command that would print a hundred megabytes gives an answer of at most 64 KiB. */
  @Test
  void aCallThatAsksForAHundredMegabytesGetsABoundedAnswer() throws Exception {
    String call =
        "{\"jsonrpc\": \"2.0\", \"id\": 2, \"method\": \"tools/call\", \"params\": {\"name\": \"sweeps\", \"arguments\": {}}}\n";
    String said = served(patient(HELLO + call));
    assertThat(commands).hasValue(1);
    assertThat(said).contains("\"id\":2").hasSizeLessThan(2 * Answer.MOST_CHARACTERS);
  }

  @Test
  void aFloodOfMessagesIsAnsweredByRefusals() throws Exception {
    StringBuilder flood = new StringBuilder(HELLO);
    for (int i = 2; i < 1_002; i++) {
      flood.append(
          "{\"jsonrpc\": \"2.0\", \"id\": %d, \"method\": \"tools/call\", \"params\": {\"name\": \"asked\", \"arguments\": {}}}\n"
              .formatted(i));
    }
    String said = served(patient(flood.toString()));
    assertThat(commands.get()).isLessThanOrEqualTo(120);
    assertThat(said).contains("calls within a minute");
  }

  /** The text, and its end only a while after it, so that calls can be answered. */
  private static InputStream patient(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    return new InputStream() {
      private int at;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
      }

      @Override
      public int read(byte[] into, int from, int most) throws IOException {
        if (at >= bytes.length) {
          try {
            Thread.sleep(Duration.ofSeconds(10));
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          return -1;
        }
        int count = Math.min(most, bytes.length - at);
        System.arraycopy(bytes, at, into, from, count);
        at += count;
        return count;
      }
    };
  }
}
