package io.nightsweep.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.Prompt;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import io.nightsweep.sweep.Statement;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Sends one POST for each prompt, without retries, redirects or streaming, so that the account is
 * exact.
 */
public final class HttpLanguageModel implements LanguageModel {
  private static final MediaType JSON = MediaType.get("application/json");

  /** Limit on an answer's body, many times the longest answer. */
  private static final int MOST_BYTES = 1 << 20;

  /** How many tokens a tokenizer may add to a prompt's own text, such as marks of roles. */
  private static final int FRAME = 256;

  /** Upper bound on the average bytes of English or JSON in one token of any tokenizer. */
  private static final int MOST_BYTES_A_TOKEN = 16;

  private final LlmSettings settings;
  private final Optional<String> key;
  private final OkHttpClient client;

  /**
   * @param environment source of the key
   * @throws IOException where a file of certificates cannot be read, or the key is missing or not
   *     valid in a header; the message never contains the key
   */
  public HttpLanguageModel(LlmSettings settings, Map<String, String> environment)
      throws IOException {
    this.settings = settings;
    key =
        settings.keyVariable().isEmpty()
            ? Optional.empty()
            : Optional.of(key(settings.keyVariable().get(), environment));
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .retryOnConnectionFailure(false)
            .followRedirects(false)
            .followSslRedirects(false)
            // After a status of 503, okhttp repeats the request itself if this header is 0.
            .addNetworkInterceptor(
                chain ->
                    chain.proceed(chain.request()).newBuilder().removeHeader("Retry-After").build())
            .connectTimeout(Duration.ofSeconds(10))
            .readTimeout(settings.timeLimit())
            .callTimeout(settings.timeLimit());
    settings.proxy().ifPresent(p -> builder.proxy(proxy(p)));
    Optional<Path> certificates = settings.certificates();
    if (certificates.isPresent()) {
      TrustedCertificates trusted = TrustedCertificates.beside(certificates.get());
      builder.sslSocketFactory(trusted.sockets(), trusted.manager());
    }
    client = builder.build();
  }

  private static Proxy proxy(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    return new Proxy(
        Proxy.Type.HTTP,
        InetSocketAddress.createUnresolved(
            hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1))));
  }

  /**
   * The key without surrounding white space, such as a line end from the file that it was read
   * from.
   */
  private static String key(String variable, Map<String, String> environment) throws IOException {
    String key = environment.getOrDefault(variable, "").strip();
    if (key.isEmpty()) {
      throw new IOException("the daemon's environment has no key in " + variable);
    }
    if (!key.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw new IOException("the key in " + variable + " has a character that no header can carry");
    }
    return key;
  }

  @Override
  public TokenCount mostTokens(Prompt prompt) {
    return new TokenCount(bytes(prompt) + FRAME, settings.longestAnswer());
  }

  @Override
  public long price(TokenCount tokens) {
    long price =
        Math.addExact(
            Math.multiplyExact(tokens.in(), settings.inputPrice()),
            Math.multiplyExact(tokens.out(), settings.outputPrice()));
    return Math.ceilDiv(price, 1_000_000L);
  }

  @Override
  public ModelReply ask(Prompt prompt) {
    Request.Builder request =
        new Request.Builder()
            .url(settings.url() + Dialects.path(settings.dialect()))
            .post(RequestBody.create(Dialects.body(settings, prompt), JSON));
    Dialects.headers(settings.dialect(), key).forEach(request::header);
    // What the endpoint may have charged even if there is no usable answer.
    TokenCount all = new TokenCount(estimate(bytes(prompt)), settings.longestAnswer());
    try (Response response = client.newCall(request.build()).execute()) {
      if (!response.isSuccessful()) {
        return new ModelReply.Nothing(
            LlmOutcome.REFUSED,
            Statement.phrase("llm-status", response.code()),
            response.code() < 500 ? TokenCount.NONE : all);
      }
      // An answer that is too long is not read.
      byte[] read = response.body().byteStream().readNBytes(MOST_BYTES + 1);
      return read.length > MOST_BYTES
          ? new ModelReply.Nothing(
              LlmOutcome.TOO_LONG, Statement.phrase("llm-long", MOST_BYTES), all)
          : said(new String(read, StandardCharsets.UTF_8), prompt, all);
    } catch (InterruptedIOException e) {
      return new ModelReply.Nothing(
          LlmOutcome.TIMED_OUT,
          Statement.phrase("llm-late", settings.timeLimit().toSeconds()),
          all);
    } catch (ConnectException | UnknownHostException e) {
      return new ModelReply.Nothing(
          LlmOutcome.UNREACHABLE,
          Statement.phrase("llm-no-connection", settings.url().getHost()),
          TokenCount.NONE);
    } catch (IOException e) {
      return new ModelReply.Nothing(
          LlmOutcome.UNREACHABLE,
          Statement.phrase("llm-connection", e.getClass().getSimpleName()),
          all);
    }
  }

  private ModelReply said(String body, Prompt prompt, TokenCount all) {
    JsonNode answer;
    try {
      answer = Json.mapper().readTree(body);
    } catch (IOException e) {
      return new ModelReply.Nothing(LlmOutcome.MALFORMED, Statement.phrase("llm-no-json"), all);
    }
    Optional<String> text = Dialects.text(settings.dialect(), answer);
    int written = text.map(HttpLanguageModel::bytes).orElse(0);
    TokenCount tokens =
        new TokenCount(
            believed(
                Dialects.tokensIn(settings.dialect(), answer),
                bytes(prompt),
                all.in(),
                bytes(prompt) + FRAME),
            believed(
                Dialects.tokensOut(settings.dialect(), answer),
                written,
                text.isEmpty() ? all.out() : estimate(written),
                Math.max(written, settings.longestAnswer())));
    return text.<ModelReply>map(t -> new ModelReply.Text(t, tokens))
        .orElseGet(
            () ->
                new ModelReply.Nothing(
                    LlmOutcome.MALFORMED, Statement.phrase("llm-no-text"), tokens));
  }

  /**
   * The endpoint's count, limited to what its text allows; the estimate where there is no count, or
   * where the count is too small for the text.
   */
  private static long believed(OptionalLong counted, int bytes, long estimate, long most) {
    return counted.stream()
        .filter(count -> count > 0 && count >= bytes / MOST_BYTES_A_TOKEN)
        .map(count -> Math.min(count, most))
        .findFirst()
        .orElse(estimate);
  }

  /** An upper bound on tokens: a token of English JSON is longer than two bytes. */
  private static long estimate(int bytes) {
    return Math.ceilDiv(bytes, 2);
  }

  private static int bytes(Prompt prompt) {
    return bytes(prompt.text());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
