package io.nightsweep.chat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.telegram.telegrambots.meta.api.objects.Update;

/** A Bot API server that violates its specification. */
@Tag("guard")
@Tag("telegram")
@Timeout(120)
class ListenerTest {
  private static final Secret TOKEN = new Secret("1:canary");
  private static final String NOTHING = "{\"ok\": true, \"result\": []}";

  @TempDir private Path folder;
  private final List<Integer> heard = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private volatile Function<String, String> answer = request -> NOTHING;
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String request = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          boolean polls =
              exchange.getRequestURI().getPath().toLowerCase(Locale.ROOT).endsWith("getupdates");
          if (polls) {
            asked.add(request);
          }
          byte[] said =
              (polls ? answer.apply(request) : "{\"ok\": true, \"result\": true}").getBytes(UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "application/json");
          exchange.sendResponseHeaders(200, said.length);
          exchange.getResponseBody().write(said);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  // A proxy may answer by itself; a server may repeat handled updates or leave out the number.
  @ParameterizedTest
  @ValueSource(
      strings = {
        NOTHING,
        "{\"ok\": true, \"result\": [null, 7, {}, {\"update_id\": -5}, {\"update_id\": 2147483647}]}",
        "{\"ok\": true, \"result\": [{\"update_id\": 7}]}"
      })
  void aServerThatAnswersAtOnceIsNotAskedWithoutAPause(String always) throws Exception {
    answer = request -> always;
    Path kept = folder.resolve("offset");
    Files.writeString(kept, "1 7");
    try (Listener listener = listener(Duration.ofHours(1), kept, update -> {})) {
      listener.start();
      await().until(() -> !asked.isEmpty());
      Thread.sleep(500);
      assertThat(asked).hasSize(1);
      assertThat(new Offset(kept, TOKEN).last()).isEqualTo(7);
    }
  }

  /** The next requested offset would lie beyond all updates. */
  @Test
  void anUpdateWithoutANumberOfASequenceIsPassedOver() throws Exception {
    assertThat(
            new UpdatesRequest(1, 1)
                .deserializeResponse(
                    "{\"ok\": true, \"result\": [null, 7, {}, {\"update_id\": -5},"
                        + " {\"update_id\": 2147483647}, {\"update_id\": 3}]}"))
        .extracting(Update::getUpdateId)
        .containsExactly(3);
  }

  @Test
  void noErrorOverOneUpdateMakesItDeaf() throws Exception {
    answer =
        request ->
            asked.size() == 1
                ? "{\"ok\": true, \"result\": [{\"update_id\": 1000000001}, {\"update_id\": 1000000002}]}"
                : NOTHING;
    Path kept = folder.resolve("offset");
    try (Listener listener =
        listener(
            Duration.ofMillis(10),
            kept,
            update -> {
              heard.add(update);
              throw new OutOfMemoryError("canary");
            })) {
      listener.start();
      await().until(() -> asked.size() > 2);
    }
    assertThat(heard).containsExactly(1_000_000_001, 1_000_000_002);
    assertThat(new Offset(kept, TOKEN).last()).isEqualTo(1_000_000_002);
  }

  @Test
  void noErrorEndsTheDelivery() {
    for (Error error :
        List.of(
            new OutOfMemoryError("canary"),
            new NoSuchMethodError("canary"),
            new StackOverflowError("canary"))) {
      assertThatCode(
              () ->
                  Messenger.deliver(
                      () -> {
                        throw error;
                      }))
          .doesNotThrowAnyException();
    }
  }

  private interface Taken {
    void update(int number);
  }

  private Listener listener(Duration retry, Path kept, Taken taken) throws Exception {
    ChatSettings d =
        ChatSettings.of(
            Map.of(ChatSettings.SERVER, "http://127.0.0.1:" + server.getAddress().getPort()));
    return new Listener(
        TOKEN,
        new ChatSettings(
            d.server(),
            2,
            d.quiet(),
            Duration.ofHours(1),
            retry,
            retry,
            d.staleCommand(),
            d.staleNotice()),
        new Health(InstantSource.system()),
        update -> taken.update(update.getUpdateId()),
        new Offset(kept, TOKEN));
  }
}
