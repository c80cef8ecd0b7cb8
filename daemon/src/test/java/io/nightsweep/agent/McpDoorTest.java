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
              return new Commands.Outcome(0, "", "");
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
}
