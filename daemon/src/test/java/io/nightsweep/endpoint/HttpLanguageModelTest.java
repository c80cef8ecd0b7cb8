package io.nightsweep.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.endpoint.LanguageModel.ModelReply;
import io.nightsweep.llm.Prompt;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.plan.LlmSettings.Dialect;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of a real server, in both dialects, through a proxy and with a house's certificate. */
@Tag("agent")
class HttpLanguageModelTest {
  private static final Prompt PROMPT = new Prompt("the rules", "{\"the\": \"data\"}");
  private static final Map<String, String> KEY = Map.of("MODEL_KEY", "k-123");
  private static final String PASSWORD = "changeit";

  @TempDir private Path folder;

  @Test
  void chatCompletions() throws Exception {
    try (ModelServer server = new ModelServer(ModelServer.says("{}"))) {
      HttpLanguageModel model = new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY);
      assertThat(model.ask(PROMPT)).isEqualTo(new ModelReply.Text("{}", 1_200, 80));
      assertThat(model.price(1_200, 80)).isEqualTo(1_520);
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
        {"type": "message", "content": [{"type": "text", "text": "hm"}], "usage": {"input_tokens": 7, "output_tokens": 2}}
        """;
    try (ModelServer server =
        new ModelServer((call, prompt) -> ModelServer.send(call, 200, answer))) {
      HttpLanguageModel model = new HttpLanguageModel(server.settings(Dialect.ANTHROPIC), KEY);
      assertThat(model.ask(PROMPT)).isEqualTo(new ModelReply.Text("hm", 7, 2));
      assertThat(server.paths()).containsExactly("/v1/messages");
      assertThat(server.keys()).containsExactly("nullk-123");
      var sent = server.prompts().getFirst();
      assertThat(sent.path("system").asText()).isEqualTo("the rules");
      assertThat(sent.at("/messages/0/role").asText()).isEqualTo("user");
    }
  }

  /** An endpoint that does not count is counted from above, one that counts backwards as well. */
  @Test
  void tokensAreNeverForgotten() throws Exception {
    String body =
        "{\"choices\": [{\"message\": {\"content\": \"four\"}}], \"usage\": {\"prompt_tokens\": -9}}";
    try (ModelServer server =
        new ModelServer((call, prompt) -> ModelServer.send(call, 200, body))) {
      ModelReply said = new HttpLanguageModel(server.settings(Dialect.OPENAI), KEY).ask(PROMPT);
      assertThat(said).isEqualTo(new ModelReply.Text("four", 13, 2));
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
    return new LlmSettings(
        s.terms(),
        s.dialect(),
        java.net.URI.create(url),
        s.keyVariable(),
        s.timeLimit(),
        s.longestAnswer(),
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
    List<String> command = new java.util.ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(first);
    command.addAll(second);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }
}
