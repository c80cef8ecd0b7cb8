package io.nightsweep.engine;

import io.nightsweep.journal.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Asks a daemon over its socket. */
public final class DaemonClient {
  private final Path socket;

  public DaemonClient(StateDirectory stateDirectory) {
    socket = stateDirectory.socket();
  }

  /** No daemon listens, or it gave no answer in time. */
  public static final class NoDaemonException extends IOException {
    private static final long serialVersionUID = 1L;

    NoDaemonException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public Optional<Reply.Pong> ping() {
    return ping(Duration.ofSeconds(2));
  }

  /** The daemon's answer; empty where none listens, or it gave none in time. */
  public Optional<Reply.Pong> ping(Duration timeout) {
    try {
      return ask(new Request.Ping(), timeout) instanceof Reply.Pong pong
          ? Optional.of(pong)
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * @param timeout for the daemon alone: what a loaded machine takes to make the request counts not
   */
  public Reply ask(Request request, Duration timeout) throws IOException {
    byte[] asked = Json.mapper().writerFor(Request.class).writeValueAsBytes(request);
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      Thread watchdog = Thread.ofVirtual().start(() -> closeAfter(channel, timeout));
      OutputStream out = Channels.newOutputStream(channel);
      out.write(asked);
      out.write('\n');
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
      String line = in.readLine();
      watchdog.interrupt();
      if (line == null) {
        throw new IOException("the daemon hung up");
      }
      return Json.mapper().readValue(line, Reply.class);
    } catch (IOException e) {
      throw new NoDaemonException("no answer from a daemon at " + socket, e);
    }
  }

  private static void closeAfter(SocketChannel channel, Duration timeout) {
    try {
      Thread.sleep(timeout);
      channel.close();
    } catch (InterruptedException e) {
      // Answered in time.
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
