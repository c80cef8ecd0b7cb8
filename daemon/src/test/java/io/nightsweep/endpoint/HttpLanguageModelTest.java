package io.nightsweep.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nightsweep.endpoint.LanguageModel.ModelReply;
import io.nightsweep.llm.Prompt;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.plan.LlmSettings.Dialect;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Calls of a real server, in both dialects, through a proxy and with a company's own certificate.
 */
@Tag("agent")
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class HttpLanguageModelTest {
  private static final Prompt PROMPT = new Prompt("the rules", "{\"the\": \"data\"}");
  private static final Map<String, String> KEY = Map.of("MODEL_KEY", "k-123");
  private static final String PASSWORD = "changeit";

  @TempDir private Path folder;

  @Test
  void chatCompletions() throws Exception {
    try (ModelServer server = new ModelServer(ModelServer.says("{}"))) {
      HttpLanguageModel model = new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY);
      assertThat(model.ask(PROMPT)).isEqualTo(new ModelReply.Text("{}", new TokenCount(282, 80)));
      assertThat(model.price(new TokenCount(1_200, 80))).isEqualTo(1_520);
      assertThat(server.paths()).containsExactly("/v1/chat/completions");
      assertThat(server.keys()).containsExactly("Bearer k-123null");
      var sent = server.prompts().getFirst();
      assertThat(sent.at("/messages/0/content").asText()).isEqualTo("the rules");
      assertThat(sent.at("/messages/1/content").asText()).isEqualTo("{\"the\": \"data\"}");
      assertThat(sent.at("/response_format/json_schema/schema/type").asText()).isEqualTo("object");
    }
  }

  @Test
  void messages() throws Exception {
    String answer =
        """
        {"type": "message", "content": [{"type": "thinking", "thinking": "no word of it"}, {"type": "text", "text": "h"},
         {"type": "text", "text": "m"}], "usage": {"input_tokens": 7, "output_tokens": 2}}
        """;
    try (ModelServer server =
        new ModelServer((call, prompt) -> ModelServer.send(call, 200, answer))) {
      HttpLanguageModel model = new HttpLanguageModel(server.settings(Dialect.ANTHROPIC), KEY);
      assertThat(model.ask(PROMPT)).isEqualTo(new ModelReply.Text("hm", new TokenCount(7, 2)));
      assertThat(server.paths()).containsExactly("/v1/messages");
      assertThat(server.keys()).containsExactly("nullk-123");
      var sent = server.prompts().getFirst();
      assertThat(sent.path("system").asText()).isEqualTo("the rules");
      assertThat(sent.path("max_tokens").asInt()).isEqualTo(1_000);
      assertThat(sent.at("/messages/0/role").asText()).isEqualTo("user");
    }
  }

  /** What OpenAI's newer models and older servers each ask for, and never both. */
  @ParameterizedTest
  @ValueSource(strings = {"max_tokens", "max_completion_tokens"})
  void theAnswersLimitIsInTheFieldOfTheSettings(String field) throws Exception {
    try (ModelServer server = new ModelServer(ModelServer.says("{}"))) {
      LlmSettings settings = server.settings(Dialect.OPENAI);
      new HttpLanguageModel(
              with(settings, settings.url().toString(), Optional.empty(), Optional.empty(), field),
              KEY)
          .ask(PROMPT);
      assertThat(server.prompts().getFirst().properties())
          .extracting(Map.Entry::getKey)
          .filteredOn(name -> name.startsWith("max_"))
          .containsExactly(field);
    }
  }

  /**
   * A reported count is accepted within the bounds of the texts: the prompt is 26 bytes and the
   * answer 4; a call is charged with 282 and 1,000 tokens at most.
   */
  @ParameterizedTest
  @CsvSource({
    "20, 3, 20, 3",
    "-9, , 13, 2",
    "0, 0, 13, 2",
    "9300000000000, 9300000000000, 282, 1000",
    "9223372036854775807, 9223372036854775807, 282, 1000",
    "1e30, 1e30, 13, 2",
    "\"many\", true, 13, 2"
  })
  void noCountOfAnEndpointIsBelievedBeyondItsTexts(
      String in, @Nullable String out, long chargedIn, long chargedOut) throws Exception {
    String usage =
        "{\"prompt_tokens\": %s%s}"
            .formatted(in, out == null ? "" : ", \"completion_tokens\": " + out);
    String body =
        "{\"choices\": [{\"message\": {\"content\": \"four\"}}], \"usage\": %s}".formatted(usage);
    try (ModelServer server =
        new ModelServer((call, prompt) -> ModelServer.send(call, 200, body))) {
      HttpLanguageModel model = new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY);
      TokenCount charged = new TokenCount(chargedIn, chargedOut);
      assertThat(model.ask(PROMPT)).isEqualTo(new ModelReply.Text("four", charged));
      TokenCount most = model.mostTokens(PROMPT);
      assertThat(charged.in()).isLessThanOrEqualTo(most.in());
      assertThat(charged.out()).isLessThanOrEqualTo(most.out());
      assertThat(model.price(charged)).isPositive().isLessThanOrEqualTo(model.price(most));
    }
  }

  /** An answer without text was paid for anyway, and so may be a broken one. */
  @ParameterizedTest
  @CsvSource({
    "200, '{\"choices\": [], \"usage\": {\"prompt_tokens\": 20, \"completion_tokens\": 900}}', 20, 900",
    "200, '{\"choices\": []}', 13, 1000",
    "200, '<html>', 13, 1000",
    "500, '', 13, 1000",
    "429, '', 0, 0",
    "401, '', 0, 0"
  })
  void whatBringsNoAnswerIsChargedAsFarAsItMayHaveCost(
      int status, String body, long chargedIn, long chargedOut) throws Exception {
    try (ModelServer server =
        new ModelServer((call, prompt) -> ModelServer.send(call, status, body))) {
      assertThat(new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY).ask(PROMPT))
          .isInstanceOfSatisfying(
              ModelReply.Nothing.class,
              n -> assertThat(n.tokens()).isEqualTo(new TokenCount(chargedIn, chargedOut)));
    }
  }

  /** For these two statuses the HTTP client would resend by itself. */
  @ParameterizedTest
  @ValueSource(ints = {408, 503})
  void aPromptIsSentOnceWhateverTheEndpointAsksFor(int status) throws Exception {
    try (ModelServer server =
        new ModelServer(
            (call, prompt) -> {
              call.getResponseHeaders().add("Retry-After", "0");
              ModelServer.send(call, status, "");
            })) {
      assertThat(new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY).ask(PROMPT))
          .isInstanceOfSatisfying(
              ModelReply.Nothing.class,
              n -> assertThat(n.detail()).isEqualTo(Statement.phrase("llm-status", status)));
      assertThat(server.prompts()).hasSize(1);
    }
  }

  /** Each byte comes in time, but the whole answer does not. */
  @Test
  void anAnswerThatDripsEndsWithTheTimeLimit() throws Exception {
    try (ModelServer server =
        new ModelServer(
            (call, prompt) -> {
              call.sendResponseHeaders(200, 0);
              for (int i = 0; i < 300; i++) {
                call.getResponseBody().write(' ');
                call.getResponseBody().flush();
                Thread.sleep(Duration.ofMillis(100));
              }
            })) {
      HttpLanguageModel model =
          new HttpLanguageModel(server.settings(Dialect.OPENAI, Duration.ofSeconds(1)), KEY);
      assertThat(model.ask(PROMPT))
          .isInstanceOfSatisfying(
              ModelReply.Nothing.class,
              n -> {
                assertThat(n.outcome()).isEqualTo(LlmOutcome.TIMED_OUT);
                assertThat(n.tokens()).isEqualTo(new TokenCount(13, 1_000));
              });
    }
  }

  /**
   * A newline at the file's end is not part of the key; a key that no header can carry is not
   * shown.
   */
  @ParameterizedTest
  @EnumSource(Dialect.class)
  void aKeyIsNeverInAMessage(Dialect dialect) throws Exception {
    try (ModelServer server = new ModelServer(ModelServer.says("{}"))) {
      LlmSettings settings = server.settings(dialect);
      new HttpLanguageModel(settings, Map.of("MODEL_KEY", " k-123\n")).ask(PROMPT);
      assertThat(server.keys())
          .containsExactly(dialect == Dialect.OPENAI ? "Bearer k-123null" : "nullk-123");
      assertThatThrownBy(
              () -> new HttpLanguageModel(settings, Map.of("MODEL_KEY", "k-1\n23\u00e9")))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("MODEL_KEY")
          .hasMessageNotContaining("k-1");
      assertThatThrownBy(() -> new HttpLanguageModel(settings, Map.of()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("MODEL_KEY");
    }
  }

  @Test
  void aRedirectIsNotFollowedWithTheKey() throws Exception {
    try (ModelServer other = new ModelServer(ModelServer.says("{}"));
        ModelServer server =
            new ModelServer(
                (call, prompt) -> {
                  call.getResponseHeaders().add("Location", "http://localhost:" + other.port());
                  ModelServer.send(call, 307, "");
                })) {
      ModelReply said = new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY).ask(PROMPT);
      assertThat(said).isInstanceOf(ModelReply.Nothing.class);
      assertThat(other.prompts()).isEmpty();
    }
  }

  @Test
  void anEndpointOfAnotherNetworkIsReachedByTheProxy() throws Exception {
    try (ModelServer proxy = new ModelServer(ModelServer.says("{}"))) {
      LlmSettings settings = proxy.settings(Dialect.OPENAI);
      LlmSettings far =
          with(
              settings,
              "http://model.invalid/v1",
              Optional.of("localhost:" + proxy.port()),
              Optional.empty());
      assertThat(new HttpLanguageModel(far, KEY).ask(PROMPT)).isInstanceOf(ModelReply.Text.class);
      assertThat(proxy.paths()).containsExactly("http://model.invalid/v1/chat/completions");
    }
  }

  @Test
  void aHousesOwnCertificateIsTrustedWhereItIsNamed() throws Exception {
    Path store = folder.resolve("store.p12");
    Path pem = folder.resolve("house.pem");
    keytool(
        List.of("-genkeypair", "-alias", "a", "-keyalg", "EC", "-dname", "CN=localhost"),
        List.of(
            "-ext", "san=dns:localhost", "-keystore", store.toString(), "-storepass", PASSWORD));
    keytool(
        List.of("-exportcert", "-rfc", "-alias", "a", "-file", pem.toString()),
        List.of("-keystore", store.toString(), "-storepass", PASSWORD));
    try (ModelServer server = new ModelServer(ModelServer.says("{}"), Optional.of(tls(store)))) {
      LlmSettings settings = server.settings(Dialect.OPENAI);
      assertThat(new HttpLanguageModel(settings, KEY).ask(PROMPT))
          .isInstanceOfSatisfying(
              ModelReply.Nothing.class,
              n -> assertThat(n.outcome()).isEqualTo(LlmOutcome.UNREACHABLE));
      LlmSettings trusting =
          with(settings, settings.url().toString(), Optional.empty(), Optional.of(pem));
      assertThat(new HttpLanguageModel(trusting, KEY).ask(PROMPT))
          .isInstanceOf(ModelReply.Text.class);
    }
  }

  private static LlmSettings with(
      LlmSettings s, String url, Optional<String> proxy, Optional<Path> certificates) {
    return with(s, url, proxy, certificates, s.answerLimit());
  }

  private static LlmSettings with(
      LlmSettings s,
      String url,
      Optional<String> proxy,
      Optional<Path> certificates,
      String answerLimit) {
    return new LlmSettings(
        s.terms(),
        s.dialect(),
        URI.create(url),
        s.keyVariable(),
        s.timeLimit(),
        s.longestAnswer(),
        answerLimit,
        s.inputPrice(),
        s.outputPrice(),
        proxy,
        certificates);
  }

  private static SSLContext tls(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(List<String> first, List<String> second) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(first);
    command.addAll(second);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
