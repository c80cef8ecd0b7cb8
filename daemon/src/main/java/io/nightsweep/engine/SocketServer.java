package io.nightsweep.engine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import io.nightsweep.journal.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The daemon's Unix socket, for its user alone: one request and one reply to a line of JSON. A
 * client keeps its side open until it has the reply; the request of one that has hung up is
 * dropped.
 */
public final class SocketServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SocketServer.class);
  private static final int MOST_CLIENTS = 32;

  /** A sweep with its plan, catalogs and playbooks has a few hundred kilobytes. */
  static final int LONGEST_REQUEST_BYTES = 4 << 20;

  /** A longer request waits its turn, so that many at once do not exhaust the heap. */
  private static final int LARGE_REQUEST_BYTES = 256 << 10;

  private static final ObjectReader REQUESTS = Json.mapper().readerFor(Request.class);

  private final Path socket;
  private final ServerSocketChannel server;
  private final RequestHandler answers;
  private final Semaphore places = new Semaphore(MOST_CLIENTS);
  private final Semaphore largeRequests = new Semaphore(1);
  private final Duration patience;
  private final Map<SocketChannel, Long> awaited = new ConcurrentHashMap<>();

  /** Who answers. */
  public interface RequestHandler {
    Reply handle(Request request) throws InterruptedException;
  }

  private SocketServer(
      Path socket, ServerSocketChannel server, RequestHandler answers, Duration patience) {
    this.socket = socket;
    this.server = server;
    this.answers = answers;
    this.patience = patience;
  }

  /**
   * Listens; the caller owns the state directory, so a socket found there is a dead daemon's.
   *
   * @param patience a client that does not complete a request for as long is disconnected, since
   *     idle ones would keep everybody else out
   */
  public static SocketServer listen(Path socket, RequestHandler answers, Duration patience)
      throws IOException {
    Files.deleteIfExists(socket);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      server.bind(UnixDomainSocketAddress.of(socket));
      Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "no socket at "
              + socket
              + " ("
              + e.getMessage()
              + "); a path of more than about 100 characters is too long: choose another --state",
          e);
    }
    SocketServer it = new SocketServer(socket, server, answers, patience);
    Thread.ofVirtual().name("socket").start(it::acceptAll);
    Thread.ofVirtual().name("socket-patience").start(it::disconnectIdle);
    return it;
  }

  private void acceptAll() {
    while (server.isOpen()) {
      try {
        SocketChannel client = server.accept();
        if (!places.tryAcquire()) {
          sendAwayTheIdlest();
          places.acquire();
        }
        // Before its thread runs: in a burst, none of those that hold all places may have run yet.
        awaited.put(client, System.nanoTime());
        Thread.ofVirtual().start(() -> serve(client));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        log.warn("a client could not be accepted: {}", e.getMessage());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /**
   * Disconnects the client that has been idle longest; one whose request is being answered stays.
   */
  private void sendAwayTheIdlest() throws IOException {
    Optional<SocketChannel> idlest =
        awaited.entrySet().stream().min(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
    if (idlest.isPresent()) {
      idlest.get().close();
    }
  }

  private void disconnectIdle() {
    try {
      while (server.isOpen()) {
        Thread.sleep(patience.dividedBy(4));
        long now = System.nanoTime();
        for (Map.Entry<SocketChannel, Long> client : awaited.entrySet()) {
          if (now - client.getValue() > patience.toNanos()) {
            client.getKey().close();
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      log.warn("an idle client could not be disconnected: {}", e.getMessage());
    }
  }

  private void serve(SocketChannel client) {
    try (client) {
      ByteBuffer chunk = ByteBuffer.allocate(1 << 14);
      boolean isOpen = true;
      while (isOpen) {
        isOpen = serveOne(client, chunk);
      }
    } catch (IOException e) {
      log.debug("a client is gone: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      awaited.remove(client);
      places.release();
    }
  }

  /** Reads one line and answers it; false where the client has gone or is sent away. */
  private boolean serveOne(SocketChannel client, ByteBuffer chunk)
      throws IOException, InterruptedException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean isLarge = false;
    awaited.put(client, System.nanoTime());
    try {
      // The chunk still holds the bytes that the last read brought after the end of the previous
      // line.
      for (int at = 0; ; at = 0) {
        while (at < chunk.position() && chunk.get(at) != '\n') {
          at++;
        }
        for (int i = 0; i < at; i++) {
          line.write(chunk.get(i));
        }
        if (at < chunk.position()) {
          awaited.remove(client);
          chunk.flip().position(at + 1);
          chunk.compact();
          if (hasHungUp(client, chunk)) {
            // Told that nobody answers, the person decided otherwise: a stopped daemon that goes on
            // must not act on what was asked of it an hour ago.
            log.info("a request is dropped: its client did not wait for the answer");
            return false;
          }
          Reply reply = answer(line.toByteArray(), answers);
          // A client that takes no answer is as idle as one that asks nothing.
          awaited.put(client, System.nanoTime());
          send(client, reply);
          return true;
        }
        chunk.clear();
        if (line.size() > LONGEST_REQUEST_BYTES) {
          send(
              client,
              new Reply.Refused(
                  "a request of more than " + LONGEST_REQUEST_BYTES + " bytes is not read"));
          return false;
        }
        if (line.size() > LARGE_REQUEST_BYTES && !isLarge) {
          // While the server keeps the client waiting, the client is not idle.
          awaited.remove(client);
          isLarge = largeRequests.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
          awaited.put(client, System.nanoTime());
          if (!isLarge) {
            send(client, new Reply.Refused("other large requests are read; ask again"));
            return false;
          }
        }
        if (client.read(chunk) < 0) {
          return false;
        }
      }
    } finally {
      if (isLarge) {
        largeRequests.release();
      }
    }
  }

  /**
   * Whether the client closed its side, behind further requests too as far as the chunk has room;
   * what it sent since is added to the chunk.
   */
  private static boolean hasHungUp(SocketChannel client, ByteBuffer chunk) throws IOException {
    client.configureBlocking(false);
    try {
      int read = client.read(chunk);
      while (read > 0) {
        read = client.read(chunk);
      }
      return read < 0;
    } finally {
      client.configureBlocking(true);
    }
  }

  /** Answers one line; never throws for what a client can send. */
  static Reply answer(byte[] line, RequestHandler answers) throws InterruptedException {
    try {
      Request request = REQUESTS.readValue(line);
      return request == null ? new Reply.Refused("not a request: null") : answers.handle(request);
    } catch (JsonProcessingException e) {
      return new Reply.Refused("not a request: " + e.getOriginalMessage());
    } catch (IOException e) {
      return new Reply.Refused("not a request: " + e.getMessage());
    } catch (RuntimeException | VirtualMachineError e) {
      // What a file that a request names can cause: a stack that overflows, a heap without room.
      log.error("an error in answering a request", e);
      return new Reply.Refused("an error in the daemon: " + e + "; its log says more");
    }
  }

  private static void send(SocketChannel client, Reply reply) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    line.write(Json.mapper().writerFor(Reply.class).writeValueAsBytes(reply));
    line.write('\n');
    ByteBuffer bytes = ByteBuffer.wrap(line.toByteArray());
    while (bytes.hasRemaining()) {
      client.write(bytes);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
    Files.deleteIfExists(socket);
  }
}
