package io.nightsweep.agent;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpServerSession;
import io.modelcontextprotocol.spec.McpServerTransport;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The messages of one client, one per line, handled strictly in order: the next line is read only
 * after the call before it is answered, so a flood of calls waits in the client. The SDK's own
 * transport handles calls in parallel, loses simultaneous answers, and stops reading at the first
 * invalid line; here an invalid line gets an error as its answer.
 */
final class LineTransport implements McpServerTransportProvider {
  /** More than any message of the protocol needs; a longer line ends the input. */
  static final int LONGEST = 1 << 20;

  /** More than any call needs; a call without an answer by then no longer blocks the next. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Logger log = LoggerFactory.getLogger(LineTransport.class);

  private final McpJsonMapper json;
  private final InputStream in;
  private final OutputStream out;
  private Optional<McpServerSession> session = Optional.empty();

  LineTransport(McpJsonMapper json, InputStream in, OutputStream out) {
    this.json = json;
    this.in = in;
    this.out = out;
  }

  @Override
  public void setSessionFactory(McpServerSession.Factory factory) {
    session = Optional.of(factory.create(new ClientTransport()));
  }

  /** Handles messages until the input ends; the last call is still answered. */
  void serve() {
    McpServerSession client = session.orElseThrow();
    try {
      for (Optional<String> line = line(); line.isPresent(); line = line()) {
        handle(client, line.get());
      }
    } catch (IOException e) {
      log.info("the client cannot be heard any more: {}", e.getMessage());
    }
  }

  private void handle(McpServerSession client, String line) {
    Optional<String> error = JsonRpc.error(line);
    if (error.isPresent()) {
      answer(error.get());
      return;
    }
    try {
      client.handle(McpSchema.deserializeJsonRpcMessage(json, line)).block(PATIENCE);
    } catch (IOException | RuntimeException e) {
      log.warn("a line of the client is ignored: {}", e.getMessage());
    }
  }

  private void answer(String message) {
    try {
      synchronized (out) {
        out.write((message + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
      }
    } catch (IOException e) {
      log.info("the client cannot be answered any more: {}", e.getMessage());
    }
  }

  /** The next line; empty at the input's end, and where a line is too long. */
  private Optional<String> line() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b == '\n') {
        return Optional.of(line.toString(StandardCharsets.UTF_8));
      }
      if (line.size() == LONGEST) {
        answer(
            JsonRpc.error(
                JsonRpc.INVALID, "a message is longer than " + LONGEST + " bytes; the input ends"));
        return Optional.empty();
      }
      line.write(b);
    }
    return Optional.empty();
  }

  @Override
  public Mono<Void> notifyClients(String method, Object params) {
    return Mono.justOrEmpty(session).flatMap(client -> client.sendNotification(method, params));
  }

  @Override
  public Mono<Void> closeGracefully() {
    return Mono.justOrEmpty(session).flatMap(McpServerSession::closeGracefully);
  }

  /** Sends messages to the client, one per line. */
  private final class ClientTransport implements McpServerTransport {
    @Override
    public Mono<Void> sendMessage(McpSchema.JSONRPCMessage message) {
      return Mono.fromCallable(
          () -> {
            byte[] line = json.writeValueAsBytes(message);
            synchronized (out) {
              out.write(line);
              out.write('\n');
              out.flush();
            }
            return null;
          });
    }

    @Override
    public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
      return json.convertValue(data, type);
    }

    @Override
    public Mono<Void> closeGracefully() {
      return Mono.empty();
    }
  }
}
