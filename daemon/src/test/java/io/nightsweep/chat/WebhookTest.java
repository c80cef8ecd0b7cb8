package io.nightsweep.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.nightsweep.asked.AskedFor;
import io.nightsweep.asked.Confirming;
import io.nightsweep.chat.WebhookAddress.Service;
import io.nightsweep.files.SecretNames;
import io.nightsweep.journal.Redaction;
import io.nightsweep.sim.Night;
import io.nightsweep.sim.Specs;
import io.nightsweep.sweep.Command;
import io.nightsweep.sweep.Entry;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Notice;
import io.nightsweep.sweep.SweepState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Notices go to an HTTP server that checks each against the documentation of its service. */
@Tag("people")
@Tag("guard")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class WebhookTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SECRET = "/services/T000/B000/hushhushhush";

  @TempDir private Path dir;

  private record Got(String type, String title, String body) {}

  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private volatile int answer = 200;
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(SECRET, this::take);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void take(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    boolean refused = refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
    if (refused) {
      exchange.getResponseHeaders().add("Retry-After", "1");
    } else if (answer < 300) {
      got.add(
          new Got(
              String.valueOf(exchange.getRequestHeaders().getFirst("Content-Type")),
              String.valueOf(exchange.getRequestHeaders().getFirst("Title")),
              new String(body, StandardCharsets.UTF_8)));
    }
    exchange.sendResponseHeaders(refused ? 503 : answer, -1);
    exchange.close();
  }

  @ParameterizedTest
  @CsvSource({"0, ''", "1, ', 1 message waits'", "2, ', 2 messages wait'"})
  void whatWaitsIsCountedInItsForm(long waiting, String told) {
    assertThat(Messenger.backlog(waiting)).isEqualTo(told);
  }

  @ParameterizedTest
  @EnumSource(Service.class)
  void theEndOfANightIsToldAsTheServiceDocumentsIt(Service service) throws Exception {
    refusals.set(1);
    OneSweep sweep = new OneSweep(dir);
    try (Messenger messenger = open(Map.of(service.variable(), url()), sweep)) {
      await().atMost(Duration.ofSeconds(60)).until(() -> messenger.describe(), d -> !sweep.waits());
      assertThat(messenger.describe()).contains(service.variable()).doesNotContain("hush");
    }
    assertThat(got).isNotEmpty();
    Got last = got.getLast();
    assertThat(words(service, last)).contains("[nightsweep]", "ranks=2", "p3");
    assertThat(sweep.recorded.toString()).doesNotContain("hush").contains("503");
  }

  /**
   * A service that is configured only after the night gets the notice of its end, but no earlier
   * ones.
   */
  @Test
  void whoWasNotThereDuringTheNightHearsOfItsEndAlone() throws Exception {
    OneSweep sweep = new OneSweep(dir);
    try (Messenger messenger = open(Map.of(Service.PLAIN.variable(), url()), sweep)) {
      await().atMost(Duration.ofSeconds(60)).until(() -> messenger.describe(), d -> !sweep.waits());
    }
    assertThat(got).extracting(Got::body).singleElement().asString().contains("sweep finished");
    assertThat(sweep.notices()).isGreaterThan(1);
  }

  /** What a reader of the service sees; fails if the service would refuse the message. */
  private static String words(Service service, Got message) throws IOException {
    switch (service) {
      case SLACK -> {
        // docs.slack.dev: a JSON object with a text; & < > are written as entities.
        assertThat(message.type()).startsWith("application/json");
        String text = JSON.readTree(message.body()).required("text").asText();
        assertThat(text.replaceAll("&(amp|lt|gt);", "")).doesNotContainPattern("[<>&]");
        return text;
      }
      case TEAMS -> {
        // learn.microsoft.com: a message with Adaptive Cards as attachments.
        assertThat(message.type()).startsWith("application/json");
        JsonNode root = JSON.readTree(message.body());
        assertThat(root.required("type").asText()).isEqualTo("message");
        JsonNode card = root.required("attachments").get(0);
        assertThat(card.required("contentType").asText())
            .isEqualTo("application/vnd.microsoft.card.adaptive");
        JsonNode content = card.required("content");
        assertThat(content.required("type").asText()).isEqualTo("AdaptiveCard");
        assertThat(content.required("version").asText()).matches("1\\.[0-5]");
        StringBuilder words = new StringBuilder();
        for (JsonNode block : content.required("body")) {
          // A TextBlock's text is Markdown, in which a quoted line could be a link.
          assertThat(block.required("type").asText()).isEqualTo("RichTextBlock");
          for (JsonNode run : block.required("inlines")) {
            assertThat(run.required("type").asText()).isEqualTo("TextRun");
            words.append(run.required("text").asText()).append('\n');
          }
        }
        return words.toString();
      }
      case NTFY -> {
        // docs.ntfy.sh/publish: the text is the body, at most 4,096 bytes; the title is a header.
        assertThat(message.body().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1, 4096);
        assertThat(message.title()).matches("\\p{ASCII}+");
        return message.title() + "\n" + message.body();
      }
      case PLAIN -> {
        JsonNode root = JSON.readTree(message.body());
        assertThat(root.required("source").asText()).isEqualTo("nightsweep");
        assertThat(root.required("text").asText()).startsWith(root.required("title").asText());
        return root.required("text").asText();
      }
    }
    throw new AssertionError();
  }

  @Test
  void aServiceThatWantsNothingOfUsDoesNotKeepTheOtherFromBeingTold() throws Exception {
    answer = 404;
    OneSweep sweep = new OneSweep(dir);
    List<String> told = toldElsewhere();
    Map<String, String> both =
        Map.of(
            Service.SLACK.variable(), url(),
            Service.PLAIN.variable(), url().replace(SECRET, "/other"));
    try (Messenger messenger = open(both, sweep)) {
      assertThat(messenger.isOn()).isTrue();
      await().atMost(Duration.ofSeconds(60)).until(() -> !sweep.waits());
    }
    assertThat(told).isNotEmpty();
    assertThat(got).isEmpty();
  }

  /** Neither a slow service nor a broken one delays the others. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aServiceThatDoesNotAnswerHoldsUpNoOther(boolean slow) throws Exception {
    answer = 503;
    CountDownLatch over = new CountDownLatch(1);
    server.createContext(
        "/slow",
        exchange -> {
          try {
            over.await(60, TimeUnit.SECONDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    List<String> told = toldElsewhere();
    OneSweep sweep = new OneSweep(dir);
    Map<String, String> both =
        Map.of(
            Service.SLACK.variable(),
            slow ? url().replace(SECRET, "/slow") : url(),
            Service.PLAIN.variable(),
            url().replace(SECRET, "/other"));
    try (Messenger messenger = open(both, sweep)) {
      messenger.announce("NOT STARTED: sweep.yaml", () -> {});
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> told.stream().anyMatch(t -> t.contains("NOT STARTED: sweep.yaml")));
      // A slow service is given up after 15 seconds.
      assertThat(messenger.isAnnouncing()).as("the other one is still to be told").isTrue();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> told.stream().anyMatch(t -> t.contains("p3 wins")));
      over.countDown();
      answer = 200;
      await().atMost(Duration.ofSeconds(60)).until(() -> !sweep.waits());
      await().atMost(Duration.ofSeconds(60)).until(() -> !messenger.isAnnouncing());
    }
    assertThat(sweep.recorded.toString().split("to=everybody", -1))
        .as("each notice ends once")
        .hasSize(1 + sweep.notices());
  }

  @Test
  void anAddressIsASecretAndOneThatIsNoneIsNamedByItsVariableAlone() {
    assertThat(SecretNames.isSecret(Service.TEAMS.variable())).isTrue();
    assertThat(Redaction.of(Map.of(Service.SLACK.variable(), url())).of("posted to " + url()))
        .doesNotContain("hush");
    assertThatThrownBy(() -> WebhookAddress.find(Map.of(Service.NTFY.variable(), "hush hush")))
        .hasMessageContaining("NIGHTSWEEP_NTFY_URL")
        .hasMessageNotContaining("hush");
  }

  private String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + SECRET;
  }

  private Messenger open(Map<String, String> environment, ChatSweeps sweeps) throws Exception {
    ChatSettings d = ChatSettings.defaults();
    return Messenger.open(
        Messenger.Addresses.find(environment, dir),
        new ChatSettings(
            d.server(),
            1000,
            d.quiet(),
            d.poll(),
            Duration.ofMillis(200),
            Duration.ofSeconds(1),
            d.staleCommand(),
            Duration.ofDays(36_500)),
        sweeps,
        dir,
        Redaction.byForm(),
        InstantSource.system());
  }

  /** A simulated night that has ended and has not been announced to anybody. */
  private static final class OneSweep implements ChatSweeps {
    final List<Event> recorded = new ArrayList<>();
    private final Path dir;
    private SweepState state = SweepState.empty();
    private long seq;

    OneSweep(Path dir) {
      this.dir = dir;
      Night night =
          Specs.night(Specs.kernels(4, 60), Specs.surface(0.08, 0.002), Duration.ofMinutes(2), 7);
      for (Entry entry : night.run().entries()) {
        state = state.apply(entry);
        seq = entry.seq();
      }
      assertThat(state.notices().values()).anyMatch(n -> n.notice() instanceof Notice.Finish);
    }

    synchronized int notices() {
      return state.notices().size();
    }

    synchronized boolean waits() {
      return state.notices().values().stream().anyMatch(n -> n.isPending());
    }

    @Override
    public synchronized List<SweepState> all() {
      return List.of(state);
    }

    @Override
    public synchronized void record(String sweep, List<Event> events) {
      for (Event event : events) {
        recorded.add(event);
        state = state.apply(new Entry(++seq, Instant.now(), event));
      }
    }

    @Override
    public Optional<String> tell(String sweep, Command command, Command.Origin origin) {
      throw new AssertionError("nobody is listened to");
    }

    @Override
    public Confirming confirming() {
      return new Confirming(
          new AskedFor(dir),
          words -> {
            throw new AssertionError("nothing is confirmed by a webhook");
          },
          InstantSource.system());
    }

    @Override
    public Path artifacts(String sweep) {
      return dir;
    }

    @Override
    public Optional<String> rehearsed(String sweep) {
      return Optional.empty();
    }

    @Override
    public Path log(String sweep, String attempt) {
      return dir.resolve(attempt);
    }

    @Override
    public List<String> explain(String sweep, Optional<String> about, int most) {
      return List.of();
    }
  }

  /** What a second service, which answers, is told. */
  private List<String> toldElsewhere() {
    List<String> told = new CopyOnWriteArrayList<>();
    server.createContext(
        "/other",
        exchange -> {
          told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    return told;
  }
}
