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
 * The daemon's Unix socket, which only its user can reach: each line of JSON holds one request,
 * answered by one reply. A client keeps its side open until it has the reply; requests of clients
 * that have hung up are dropped.
 */
public final class SocketServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SocketServer.class);
  private static final int MOST_CLIENTS = 32;

  /** A sweep with its plan, catalogs and playbooks needs a few hundred kilobytes. */
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
   * Listens. The caller owns the state directory, so an existing socket belongs to a dead daemon.
   *
   * @param patience a client that takes longer to complete a request is disconnected, since idle
   *     clients would block all others
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
        // This precedes the start of the thread: in a burst, no client that holds a place may have
        // run yet.
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
   * Disconnects the client that has been idle longest; a client whose request is being answered
   * stays.
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

  /** Reads one line and answers it; returns false if the client has gone or is disconnected. */
  private boolean serveOne(SocketChannel client, ByteBuffer chunk)
      throws IOException, InterruptedException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    boolean isLarge = false;
    awaited.put(client, System.nanoTime());
    try {
      // The chunk still holds the bytes after the end of the previous line.
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
            // The person was told that nobody answers and may have decided otherwise. A daemon that
            // was stopped and continues must not act on a request from an hour ago.
            log.info("a request is dropped: its client did not wait for the answer");
            return false;
          }
          Reply reply = answer(line.toByteArray(), answers);
          // A client that does not read its answer counts as idle.
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
   * Whether the client closed its side, even after further requests, as far as the chunk has room.
   * Bytes received since are added to the chunk.
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

  /** Answers one line; never throws for input that a client can send. */
  static Reply answer(byte[] line, RequestHandler answers) throws InterruptedException {
    try {
      Request request = REQUESTS.readValue(line);
      return request == null ? new Reply.Refused("not a request: null") : answers.handle(request);
    } catch (JsonProcessingException e) {
      return new Reply.Refused("not a request: " + e.getOriginalMessage());
    } catch (IOException e) {
      return new Reply.Refused("not a request: " + e.getMessage());
    } catch (RuntimeException | VirtualMachineError e) {
      // A file named in a request can cause such errors: a stack overflow or a full heap.
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
