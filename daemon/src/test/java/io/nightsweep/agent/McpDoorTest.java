package io.nightsweep.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.nightsweep.asked.Commands;
import io.nightsweep.journal.Redaction;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Misbehaving clients, connected in the same way as a real one. */
@Tag("agent")
@Timeout(120)
@Tag("slow")
class McpDoorTest {
  private static final String HELLO =
      """
      {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}
      {"jsonrpc": "2.0", "method": "notifications/initialized"}
      """;

  @TempDir private Path folder;
  private final AtomicInteger commands = new AtomicInteger();

  private String served(InputStream in) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Seat seat =
        new Seat(
            "bob",
            folder,
            arguments -> {
              commands.incrementAndGet();
              return new Commands.CommandResult(0, "", "");
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
            Arrays.fill(into, from, from + most, (byte) 'x');
            return most;
          }
        };
    assertThat(served(endless)).contains("-32600", "longer than");
    assertThat(read.get()).isLessThan(2 * LineTransport.LONGEST);
  }

  private static String call(int id) {
    return """
        {"jsonrpc": "2.0", "id": %d, "method": "tools/call", "params": {"name": "sweeps", "arguments": {}}}
        """
        .formatted(id);
  }

  @Test
  void aThousandCallsAtOnceAreEachAnsweredInTheirOrder() throws Exception {
    StringBuilder sent = new StringBuilder(HELLO);
    for (int id = 2; id < 1002; id++) {
      sent.append(call(id));
    }
    List<String> lines =
        served(new ByteArrayInputStream(sent.toString().getBytes(UTF_8))).lines().toList();
    assertThat(lines).hasSize(1001);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(lines.get(i)).contains("\"id\":" + (i + 1));
    }
  }

  @Test
  void linesThatAreNoMessagesAreAnsweredByErrorsAndTheNextCallByItsAnswer() throws Exception {
    List<String> wrong =
        List.of(
            "not json",
            "[1, 2]",
            "{\"id\": 7, \"method\": \"tools/list\"}",
            "{\"jsonrpc\": \"2.0\", \"id\": 1.5, \"method\": \"tools/list\"}",
            "{\"jsonrpc\": \"2.0\", \"id\": true, \"method\": \"tools/list\"}",
            "{\"jsonrpc\": \"2.0\", \"id\": {}, \"method\": \"tools/list\"}",
            "{\"jsonrpc\": \"2.0\", \"id\": 8, \"method\": \"tools/call\", \"params\": null}",
            "{\"jsonrpc\": \"2.0\", \"id\": 9}");
    String sent = HELLO + String.join("\n", wrong) + "\n\n" + call(2);
    List<String> answers = served(new ByteArrayInputStream(sent.getBytes(UTF_8))).lines().toList();
    assertThat(answers).hasSize(2 + wrong.size()).last().asString().contains("\"id\":2");
    assertThat(answers.get(1)).contains("\"id\":null", "-32700");
    assertThat(answers.subList(2, answers.size() - 1))
        .allMatch(a -> a.contains("-32600") && !a.contains("Exception"));
  }

  @Test
  void anAnswerOfAHundredMegabytesIsCutAndWritten() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Seat seat =
        new Seat(
            "bob",
            folder,
            arguments -> new Commands.CommandResult(0, "x".repeat(100 << 20), ""),
            Redaction.byForm(),
            InstantSource.system());
    McpDoor.serve(seat, "1", new ByteArrayInputStream((HELLO + call(2)).getBytes(UTF_8)), out);
    List<String> lines = out.toString(UTF_8).lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getLast()).contains("\"id\":2").hasSizeLessThan(200_000);
  }
}
