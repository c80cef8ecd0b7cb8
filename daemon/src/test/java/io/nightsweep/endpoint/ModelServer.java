package io.nightsweep.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.nightsweep.journal.Json;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.sweep.LlmTerms;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** A real server on a port of this machine; the test chooses its behaviour. */
public final class ModelServer implements AutoCloseable {
  /** How the server handles one call. */
  @FunctionalInterface
  public interface Behaviour {
    /**
     * @param prompt the request's JSON
     */
    void answer(HttpExchange call, JsonNode prompt) throws IOException, InterruptedException;
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<JsonNode> prompts = new CopyOnWriteArrayList<>();
  private final List<String> paths = new CopyOnWriteArrayList<>();
  private final List<String> keys = new CopyOnWriteArrayList<>();
  private final boolean tls;

  public ModelServer(Behaviour behaviour) throws IOException {
    this(behaviour, Optional.empty());
  }

  public ModelServer(Behaviour behaviour, Optional<SSLContext> context) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    tls = context.isPresent();
    if (tls) {
      HttpsServer https = HttpsServer.create(any, 0);
      https.setHttpsConfigurator(new HttpsConfigurator(context.get()));
      server = https;
    } else {
      server = HttpServer.create(any, 0);
    }
    server.setExecutor(threads);
    server.createContext(
        "/",
        call -> {
          try (call) {
            JsonNode prompt = Json.mapper().readTree(call.getRequestBody().readAllBytes());
            prompts.add(prompt);
            paths.add(call.getRequestURI().toString());
            keys.add(
                String.valueOf(call.getRequestHeaders().getFirst("Authorization"))
                    + call.getRequestHeaders().getFirst("x-api-key"));
            behaviour.answer(call, prompt);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    server.start();
  }

  /** Answers with a text in the form of chat completions. */
  public static Behaviour says(String text) {
    return (call, prompt) -> send(call, 200, completion(text));
  }

  static String completion(String text) {
    ObjectNode answer = Json.mapper().createObjectNode();
    answer.putArray("choices").addObject().putObject("message").put("content", text);
    answer.putObject("usage").put("prompt_tokens", 1_200).put("completion_tokens", 80);
    return answer.toString();
  }

  public static void send(HttpExchange call, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    call.sendResponseHeaders(status, bytes.length);
    call.getResponseBody().write(bytes);
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public List<JsonNode> prompts() {
    return prompts;
  }

  List<String> paths() {
    return paths;
  }

  List<String> keys() {
    return keys;
  }

  public LlmSettings settings(LlmSettings.Dialect dialect) {
    return settings(dialect, Duration.ofMinutes(2));
  }

  public LlmSettings settings(LlmSettings.Dialect dialect, Duration timeLimit) {
    return new LlmSettings(
        terms(),
        dialect,
        URI.create((tls ? "https" : "http") + "://localhost:" + port() + "/v1"),
        Optional.of("MODEL_KEY"),
        timeLimit,
        1_000,
        "max_tokens",
        1_000_000,
        4_000_000,
        Optional.empty(),
        Optional.empty());
  }

  /** All topics, so that the tests see everything that is sent out. */
  public static LlmTerms terms() {
    return new LlmTerms(
        LlmTerms.Mode.RUN, "some-model", 0.5, 8, 400_000, 0, List.of(LlmTerms.Topic.values()));
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
