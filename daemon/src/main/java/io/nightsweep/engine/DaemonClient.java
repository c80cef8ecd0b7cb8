package io.nightsweep.engine;

import io.nightsweep.journal.Json;
import io.nightsweep.journal.OwnerLock;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Sends requests to a daemon over its socket. */
public final class DaemonClient {
  private static final String START_ONE =
      "Start one, which continues unfinished sweeps: nightsweep start";

  private static final String DROPPED =
      "\nThe request is dropped, unless the daemon had begun to handle it: 'nightsweep status'"
          + " shows the state";

  /** The client waits no longer than this for a process that was stopped by a signal. */
  private static final Duration PATIENCE_WITH_A_STOPPED_ONE = Duration.ofSeconds(2);

  private final Path socket;
  private final Path owner;

  public DaemonClient(StateDirectory stateDirectory) {
    socket = stateDirectory.socket();
    owner = stateDirectory.owner();
  }

  /** No daemon listens, or it did not answer in time; the message says what to do. */
  public static final class NoDaemonException extends IOException {
    private static final long serialVersionUID = 1L;

    NoDaemonException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  public Optional<Reply.Pong> ping() {
    return ping(Duration.ofSeconds(2));
  }

  /** The daemon's answer; empty if no daemon listens or it did not answer in time. */
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
   * @param timeout for the daemon alone, without the time to create the request on a loaded machine
   */
  public Reply ask(Request request, Duration timeout) throws IOException {
    byte[] asked = Json.mapper().writerFor(Request.class).writeValueAsBytes(request);
    boolean isConnected = false;
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      isConnected = true;
      Thread watchdog = Thread.ofVirtual().start(() -> closeAfter(channel, timeout));
      send(asked, Channels.newOutputStream(channel));
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
      throw new NoDaemonException(
          "no answer from a daemon at "
              + socket
              + "\n"
              + silence().orElse(START_ONE)
              + (isConnected ? DROPPED : ""),
          e);
    }
  }

  private static void send(byte[] asked, OutputStream out) {
    try {
      out.write(asked);
      out.write('\n');
    } catch (IOException e) {
      // A request that is too long is refused before it is read completely; the answer says so.
    }
  }

  /**
   * The process that owns the state but does not answer, and what to do about it; empty if there is
   * none.
   */
  public Optional<String> silence() {
    try {
      return OwnerLock.owner(owner)
          .flatMap(
              o ->
                  switch (o.life()) {
                    case DEAD -> Optional.empty();
                    case ALIVE -> Optional.of(o.isStopped() ? stopped(o) : busy(o));
                    case UNKNOWN ->
                        Optional.of(
                            "pid %d on host %s owns it since %s: ask there"
                                .formatted(o.pid(), o.host(), o.since()));
                  });
    } catch (IOException e) {
      return Optional.of("who owns it cannot be read: " + e.getMessage());
    }
  }

  private boolean isStopped() {
    try {
      return OwnerLock.owner(owner).filter(OwnerLock.Owner::isStopped).isPresent();
    } catch (IOException e) {
      return false;
    }
  }

  private static String stopped(OwnerLock.Owner o) {
    return "pid %d is stopped and gives no answer; it goes on after: kill -CONT %d"
        .formatted(o.pid(), o.pid());
  }

  private static String busy(OwnerLock.Owner o) {
    return ("pid %d gives no answer in time: it is starting, busy or blocked, and daemon.log says"
            + " more."
            + " Ask again; if it is silent for minutes: kill -9 %d, then nightsweep start, and no job is lost")
        .formatted(o.pid(), o.pid());
  }

  private void closeAfter(SocketChannel channel, Duration timeout) {
    try {
      Duration first =
          timeout.compareTo(PATIENCE_WITH_A_STOPPED_ONE) < 0
              ? timeout
              : PATIENCE_WITH_A_STOPPED_ONE;
      Thread.sleep(first);
      if (!isStopped()) {
        Thread.sleep(timeout.minus(first));
      }
      channel.close();
    } catch (InterruptedException e) {
      // The answer arrived in time.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
