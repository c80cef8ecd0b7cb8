package io.nightsweep.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.journal.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class SocketServerTest {
  private static final Reply PONG = new Reply.Pong("v", Optional.of("b"), 7, Instant.EPOCH);

  @TempDir Path dir;
  private StateDirectory state;
  private SocketServer server;
  private Request seen = new Request.Ping();

  @BeforeEach
  void listen() throws IOException {
    state = new StateDirectory(dir);
    Files.writeString(state.socket(), "left by a dead daemon");
    server =
        SocketServer.listen(
            state.socket(),
            request -> {
              seen = request;
              if (request instanceof Request.Sweeps) {
                throw new IllegalStateException("a bug");
              }
              if (request instanceof Request.ClosePage) {
                throw new StackOverflowError("a deep file");
              }
              if (request instanceof Request.OpenPage) {
                throw new InterruptedException("the daemon ends");
              }
              return PONG;
            },
            Duration.ofSeconds(6));
  }

  @AfterEach
  void close() throws IOException {
    server.close();
    assertThat(state.socket()).doesNotExist();
  }

  @Test
  void aRequestArrivesWholeAndItsReplyComesBack() throws IOException {
    Request start = DaemonFixture.start("s", "n1", "n2");
    assertThat(new DaemonClient(state).ask(start, Duration.ofSeconds(20))).isEqualTo(PONG);
    assertThat(seen).isEqualTo(start);
    assertThat(new DaemonClient(state).ping()).contains((Reply.Pong) PONG);
  }

  @Test
  void theSocketIsForItsUserAlone() throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state.socket())))
        .isEqualTo("rw-------");
  }

  @Test
  void whatIsNoRequestIsRefusedPolitelyAndTheNextOneIsServed() throws IOException {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()))) {
      OutputStream out = Channels.newOutputStream(channel);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
      for (String bad :
          new String[] {
            "",
            "{",
            "null",
            "[]",
            "{\"type\":\"Nonsense\"}",
            "{\"type\":\"Ping\",\"x\":1}",
            "\u0000"
          }) {
        out.write((bad + "\n").getBytes(UTF_8));
        assertThat(Json.mapper().readValue(in.readLine(), Reply.class))
            .as("to <%s>", bad)
            .isInstanceOf(Reply.Refused.class);
      }
      out.write("{\"type\":\"Sweeps\"}\n".getBytes(UTF_8));
      assertThat(in.readLine()).contains("Refused").contains("a bug");
      out.write("{\"type\":\"ClosePage\"}\n".getBytes(UTF_8));
      assertThat(in.readLine()).contains("Refused").contains("a deep file");
      out.write("{\"type\":\"Ping\"}\n".getBytes(UTF_8));
      assertThat(Json.mapper().readValue(in.readLine(), Reply.class)).isEqualTo(PONG);
    }
  }

  @Test
  void anOversizedRequestIsRefusedAndHungUp() throws IOException {
    StateDirectory other = new StateDirectory(Files.createDirectory(dir.resolve("other")));
    SocketServer patient =
        SocketServer.listen(other.socket(), request -> PONG, Duration.ofHours(1));
    try (patient;
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(other.socket()))) {
      OutputStream out = Channels.newOutputStream(channel);
      BufferedReader in =
          new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
      byte[] chunk = new byte[1 << 20];
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 64; i++) {
                  out.write(chunk);
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(in.readLine()).contains("Refused").contains("bytes is not read");
      Request start = DaemonTest.start("x".repeat(15 << 20), "n1");
      assertThat(new DaemonClient(other).ask(start, Duration.ofSeconds(60)))
          .as("whoever asks is told why")
          .isInstanceOfSatisfying(
              Reply.Refused.class, r -> assertThat(r.reason()).contains("bytes is not read"));
    }
  }

  /**
   * So many at once that most are accepted before any is served; none is ever idle for too long.
   */
  @Test
  @Tag("guard")
  @Timeout(120)
  void aBurstOfIdleClientsKeepsNobodyOut() throws Exception {
    StateDirectory other = new StateDirectory(Files.createDirectory(dir.resolve("other")));
    List<SocketChannel> idle = new ArrayList<>();
    SocketServer patient =
        SocketServer.listen(other.socket(), request -> PONG, Duration.ofHours(1));
    try (patient) {
      for (int i = 0; i < 400; i++) {
        idle.add(SocketChannel.open(UnixDomainSocketAddress.of(other.socket())));
      }
      assertThat(new DaemonClient(other).ask(new Request.Ping(), Duration.ofSeconds(60)))
          .isEqualTo(PONG);
    } finally {
      for (SocketChannel channel : idle) {
        channel.close();
      }
    }
  }

  @Test
  @Tag("guard")
  void idleClientsDoNotKeepOthersOut() throws Exception {
    List<SocketChannel> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 40; i++) {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()));
        channel.write(UTF_8.encode("{"));
        idle.add(channel);
      }
      assertThat(new DaemonClient(state).ask(new Request.Ping(), Duration.ofSeconds(60)))
          .isEqualTo(PONG);
    } finally {
      for (SocketChannel channel : idle) {
        channel.close();
      }
    }
  }

  /** Replies that are not read fill the socket, and the server's write blocks. */
  @Test
  @Tag("guard")
  @Timeout(120)
  void clientsThatNeverReadAreSentAway() throws Exception {
    List<SocketChannel> deaf = new ArrayList<>();
    ByteBuffer pings = UTF_8.encode("{\"type\":\"Ping\"}\n".repeat(2_000));
    try {
      for (int i = 0; i < 32; i++) {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()));
        channel.configureBlocking(false);
        deaf.add(channel);
        for (int round = 0; round < 400; round++) {
          if (channel.write(pings.duplicate()) == 0) {
            break;
          }
          Thread.sleep(1);
        }
      }
      for (int i = 0; i < 5; i++) {
        assertThat(new DaemonClient(state).ask(new Request.Ping(), Duration.ofSeconds(60)))
            .isEqualTo(PONG);
      }
    } finally {
      for (SocketChannel channel : deaf) {
        channel.close();
      }
    }
  }

  @Test
  @Tag("guard")
  @Timeout(120)
  void aSlowLargeRequestKeepsNoOtherOutForLong() throws Exception {
    try (SocketChannel slow = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()))) {
      ByteBuffer half = UTF_8.encode(" ".repeat(600 << 10));
      while (half.hasRemaining()) {
        slow.write(half);
      }
      try (SocketChannel other = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()))) {
        ByteBuffer large = UTF_8.encode(" ".repeat(600 << 10) + "{\"type\":\"Ping\"}\n");
        try {
          while (large.hasRemaining()) {
            other.write(large);
          }
        } catch (IOException e) {
          // The server may answer and hang up before it has read everything.
        }
        BufferedReader in =
            new BufferedReader(new InputStreamReader(Channels.newInputStream(other), UTF_8));
        String reply = in.readLine();
        assertThat(reply).containsAnyOf("Pong", "ask again");
        assertThat(reply.contains("Pong"))
            .as("the second is read only once the first is sent away")
            .isEqualTo(isHungUp(slow));
      }
    }
  }

  private static boolean isHungUp(SocketChannel client) throws IOException {
    client.configureBlocking(false);
    try {
      return client.read(ByteBuffer.allocate(1)) < 0;
    } catch (IOException e) {
      // The server closed the connection with unread bytes.
      return true;
    }
  }

  @Test
  @Tag("guard")
  void requestsThatCameTogetherAreAnsweredOneByOne() throws Exception {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(state.socket()))) {
      String ping = "{\"type\":\"Ping\"}\n";
      channel.write(UTF_8.encode(ping + ping + ping.strip()));
      BufferedReader in =
          new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), UTF_8));
      assertThat(in.readLine()).contains("Pong");
      assertThat(in.readLine()).contains("Pong");
      channel.write(UTF_8.encode("\n"));
      assertThat(in.readLine()).contains("Pong");
    }
  }

  @Test
  void withoutADaemonTheClientSaysSo() throws IOException {
    StateDirectory empty = new StateDirectory(dir.resolve("empty"));
    assertThat(new DaemonClient(empty).ping()).isEmpty();
    assertThatThrownBy(() -> new DaemonClient(empty).ask(new Request.Ping(), Duration.ofSeconds(1)))
        .isInstanceOf(DaemonClient.NoDaemonException.class)
        .hasMessageNotContaining("The request is dropped");
  }

  /** The daemon may have carried the request out before it ended. */
  @Test
  @Tag("guard")
  void whomADaemonHangsUpOnLearnsHowToSeeWhatBecameOfTheRequest() {
    Request request = new Request.OpenPage(Optional.empty());
    assertThatThrownBy(() -> new DaemonClient(state).ask(request, Duration.ofSeconds(60)))
        .isInstanceOf(DaemonClient.NoDaemonException.class)
        .hasMessageContaining("Start one")
        .hasMessageContaining(
            "unless the daemon had begun to handle it: 'nightsweep status' shows");
  }
}
