package io.nightsweep.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import io.nightsweep.journal.Json;
import io.nightsweep.llm.Prompt;
import io.nightsweep.plan.LlmSettings;
import io.nightsweep.sweep.LlmAnswer;
import io.nightsweep.sweep.LlmAnswer.LlmOutcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/** One POST for each prompt: no retry, no redirect, no stream, so that the account is exact. */
public final class HttpLanguageModel implements LanguageModel {
  private static final MediaType JSON = MediaType.get("application/json");

  /** Of an answer's body; many times what the longest answer takes. */
  private static final int MOST_BYTES = 1 << 20;

  private final LlmSettings settings;
  private final Optional<String> key;
  private final OkHttpClient client;

  /**
   * @param environment where the key is looked for
   * @throws IOException where a file of certificates cannot be read
   */
  public HttpLanguageModel(LlmSettings settings, Map<String, String> environment)
      throws IOException {
    this.settings = settings;
    key = settings.keyVariable().map(name -> environment.getOrDefault(name, ""));
    OkHttpClient.Builder builder =
        new OkHttpClient.Builder()
            .retryOnConnectionFailure(false)
            .followRedirects(false)
            .followSslRedirects(false)
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

  @Override
  public long mostTokens(Prompt prompt) {
    return estimate(prompt.text()) + settings.longestAnswer();
  }

  @Override
  public long price(long tokensIn, long tokensOut) {
    return Math.ceilDiv(
        tokensIn * settings.inputPrice() + tokensOut * settings.outputPrice(), 1_000_000L);
  }

  @Override
  public ModelReply ask(Prompt prompt) {
    Request.Builder request =
        new Request.Builder()
            .url(settings.url() + Dialects.path(settings.dialect()))
            .post(RequestBody.create(Dialects.body(settings, prompt), JSON));
    Dialects.headers(settings.dialect(), key).forEach(request::header);
    long sent = estimate(prompt.text());
    try (Response response = client.newCall(request.build()).execute()) {
      if (!response.isSuccessful()) {
        return new ModelReply.Nothing(
            LlmOutcome.REFUSED, "the endpoint answered with status " + response.code(), 0);
      }
      // An answer that is too long is left unread.
      byte[] read = response.body().byteStream().readNBytes(MOST_BYTES + 1);
      return read.length > MOST_BYTES
          ? new ModelReply.Nothing(
              LlmOutcome.TOO_LONG, "the answer is longer than " + MOST_BYTES + " bytes", all(sent))
          : said(new String(read, StandardCharsets.UTF_8), sent);
    } catch (InterruptedIOException e) {
      return new ModelReply.Nothing(
          LlmOutcome.TIMED_OUT,
          "no answer within " + settings.timeLimit().toSeconds() + " s",
          sent);
    } catch (IOException e) {
      return new ModelReply.Nothing(
          LlmOutcome.UNREACHABLE, "the connection failed: " + e.getClass().getSimpleName(), sent);
    }
  }

  private ModelReply said(String body, long sent) {
    JsonNode answer;
    try {
      answer = Json.mapper().readTree(body);
    } catch (IOException e) {
      return new ModelReply.Nothing(
          LlmAnswer.LlmOutcome.MALFORMED, "the endpoint's answer is no JSON", all(sent));
    }
    long in = Dialects.tokensIn(settings.dialect(), answer, sent);
    Optional<String> text = Dialects.text(settings.dialect(), answer);
    if (text.isEmpty()) {
      return new ModelReply.Nothing(
          LlmAnswer.LlmOutcome.MALFORMED, "the endpoint's answer has no text", in);
    }
    long out = Dialects.tokensOut(settings.dialect(), answer, estimate(text.get()));
    return new ModelReply.Text(text.get(), in, out);
  }

  private long all(long sent) {
    return sent + settings.longestAnswer();
  }

  /** From above: a token of JSON in English is longer than two bytes. */
  private static long estimate(String text) {
    return Math.ceilDiv(text.getBytes(StandardCharsets.UTF_8).length, 2);
  }
}
