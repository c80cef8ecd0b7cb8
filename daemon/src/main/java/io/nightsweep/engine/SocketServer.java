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
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The daemon's Unix socket, for its user alone: one request and one reply to a line of JSON. */
public final class SocketServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SocketServer.class);
  private static final int MOST_CLIENTS = 32;
  static final int LONGEST_REQUEST_BYTES = 16 << 20;

  private static final ObjectReader REQUESTS = Json.mapper().readerFor(Request.class);

  private final Path socket;
  private final ServerSocketChannel server;
  private final Answers answers;
  private final Semaphore places = new Semaphore(MOST_CLIENTS);

  /** Who answers. */
  public interface Answers {
    Reply handle(Request request) throws InterruptedException;
  }

  private SocketServer(Path socket, ServerSocketChannel server, Answers answers) {
    this.socket = socket;
    this.server = server;
    this.answers = answers;
  }

  /** Listens; the caller owns the state directory, so a socket found there is a dead daemon's. */
  public static SocketServer listen(Path socket, Answers answers) throws IOException {
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
    SocketServer it = new SocketServer(socket, server, answers);
    Thread.ofVirtual().name("socket").start(it::acceptAll);
    return it;
  }

  private void acceptAll() {
    while (server.isOpen()) {
      try {
        places.acquire();
        SocketChannel client = server.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        places.release();
        log.warn("a client could not be accepted: {}", e.getMessage());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void serve(SocketChannel client) {
    try (client) {
      ByteBuffer chunk = ByteBuffer.allocate(1 << 14);
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      while (client.read(chunk) >= 0) {
        chunk.flip();
        while (chunk.hasRemaining()) {
          byte b = chunk.get();
          if (b == '\n') {
            send(client, answer(line.toByteArray()));
            line.reset();
          } else if (line.size() == LONGEST_REQUEST_BYTES) {
            send(
                client,
                new Reply.Refused(
                    "a request of more than " + LONGEST_REQUEST_BYTES + " bytes is not read"));
            return;
          } else {
            line.write(b);
          }
        }
        chunk.clear();
      }
    } catch (IOException e) {
      log.debug("a client is gone: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      places.release();
    }
  }

  private Reply answer(byte[] line) throws InterruptedException {
    Request request;
    try {
      request = REQUESTS.readValue(line);
      if (request == null) {
        return new Reply.Refused("not a request: null");
      }
    } catch (JsonProcessingException e) {
      return new Reply.Refused("not a request: " + e.getOriginalMessage());
    } catch (IOException e) {
      return new Reply.Refused("not a request: " + e.getMessage());
    }
    try {
      return answers.handle(request);
    } catch (RuntimeException e) {
      log.error("a bug in answering {}", request.getClass().getSimpleName(), e);
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
