package io.nightsweep.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.Statement;
import io.nightsweep.sweep.StepEnd;
import io.nightsweep.sweep.TrialId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("guard")
class RedactionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "bot 123456789:AAHcanarycanarycanarycanarycanaryca is here",
        "HF_TOKEN=canarycanary",
        "0: WANDB_API_KEY=canarycanary",
        "\"password\": \"canarycanary\"",
        "Authorization: Bearer canarycanarycanary",
        "hf_canarycanarycanarycanary",
        "ghp_canarycanarycanarycanary",
        "AWS_SECRET_ACCESS_KEY: canarycanary",
        "x-api-key: canarycanary",
        "{\\\"HF_TOKEN\\\": \\\"canarycanary\\\"}",
        "\"private_key\": \"-----BEGIN PRIVATE KEY-----\\\\ncanarycanary\\\\ncanary=\\\\n\"",
        "docker login --username me --password canarycanary registry",
        "wandb login --api-key canarycanary",
        "Authorization: token canarycanarycanary",
        "POST https://hooks.slack.com/services/T0canary/B0canary/canarycanarycanary",
        "NGC key nvapi-canarycanarycanarycanary was refused",
        "dckr_pat_canarycanarycanary",
        "npm_canarycanarycanarycanary",
        "key AIzacanarycanarycanarycanarycanarycanary",
        "GET /bucket/x?X-Amz-Date=20260101&X-Amz-Signature=canarycanarycanary HTTP/1.1",
        "redis://:canary@h:6379/0",
        "https://canarycanarycanary@o1.ingest.sentry.io/1",
        "https://u:canary@canary@h/x",
        "password=\"canary horse canary staple\"",
        "password='canary horse canary'",
        "\\\"password\\\": \\\"canary horse canary\\\"",
        "password=ca&canary",
        "password=ab,canarycanary",
        "DB_PASS=canarycanary",
        "MYSQL_PWD=canarycanary",
        "dbPass: canarycanary",
        "accessToken: canarycanary",
        "client-secret: canarycanary",
        "sv=2022&sig=canarycanary%3D",
        "X-Goog-Signature=canarycanary",
        "AccountName=me;AccountKey=canarycanary==;EndpointSuffix=x",
        "Cookie: a=canary; session=canary",
        "<password>canary</password>",
        "'password' => 'canary'",
        "machine h login me password canary",
        "  password canary",
        "curl -u me:canary https://h",
        "curl --user 'me:canary' https://h",
        "_hf_canarycanarycanarycanary",
        "xhf_canarycanarycanarycanary",
        "a\\nhf_canarycanarycanarycanary",
        "a\\nsk-canarycanarycanarycanary",
        "TOKEN_hf_canarycanarycanarycanary",
        "pypi-AgEIcanarycanarycanary",
        "sk_live_canarycanarycanary",
        "gsk_canarycanarycanary",
        "xai-canarycanarycanary",
        "r8_canarycanarycanary",
        "ya29.canarycanarycanary",
        "https://discord.com/api/webhooks/123456789012345678/canarycanary",
        "https://x.webhook.office.com/webhookb2/canary@canary/IncomingWebhook/canary",
        "https://hooks.slack.com/triggers/T0canary/1/canarycanary",
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\ncanary",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\ncanary\n=canary\n",
        "0: -----BEGIN PRIVATE KEY-----\n0: canary\n0: canary==\n",
        "\"-----BEGIN PRIVATE KEY-----\"\n\"canary+/\"\n\"-----END PRIVATE KEY-----\" after"
      })
  void whatHasTheFormOfASecretIsMasked(String line) {
    assertThat(Redaction.byForm().of(line)).contains(Redaction.MASK).doesNotContain("canary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "completed step: 9, seconds: 25.250, TFLOP/s/device: 412.1, Tokens/s/device: 1135.700, loss: 10.8",
        "max_target_length=4096 tokens_per_step=8192",
        "Unknown flag(s) in XLA_FLAGS: --xla_gpu_key_value_threshold=1",
        "2026-11-20T22:30:00.123456789Z node n1: State=IDLE",
        "--xla_gpu_enable_latency_hiding_scheduler true, --tokenizer-type tiktoken",
        "the token budget is spent, and no secret is kept; password is not needed",
        "running pass: algebraic-simplifier, key: convolution",
        "forward_pass: 12.3456789 s, backward_pass=23.4567890",
        "eos_token: </s>-and-more, pad_token=<|endoftext|>",
        "docker run -u 100000:100000 docker://ubuntu:22.04@sha256:0123456789abcdef",
        "PWD=/home/me/project OLDPWD=/home/me KEYBOARD=french",
        "git clone ssh://git@github.com/a/b.git",
        "commit 0123456789abcdef0123456789abcdef01234567",
        "sha256 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
        "tokens: 123456789, tokensPerSecond: 1234567.8, MAX_TOKENS=100000000"
      })
  void whatIsNoSecretStays(String line) {
    assertThat(Redaction.byForm().of(line)).isEqualTo(line);
  }

  /** Every indented line would contain it. */
  @Test
  void aValueOfBlanksIsNoSecret() {
    Redaction redaction = Redaction.of(Map.of("API_KEY", "          "));
    assertThat(redaction.firstKnown("          steps: 10")).isEmpty();
  }

  @Test
  void theEnvironmentsSecretsAreKnownByTheirNames() {
    Redaction redaction =
        Redaction.of(
            Map.of(
                "TG_BOT_TOKEN",
                "canary-one",
                "MY_KEY",
                "canary-two",
                "HOME",
                "/root",
                "K_KEY",
                "x"));
    assertThat(redaction.of("canary-one /root x canary-two")).isEqualTo("*** /root x ***");
    // Values that a remedy names, such as a file that others may read, must stay readable.
    Redaction paths =
        Redaction.of(Map.of("TG_CONFIG", "/home/me/.tg_config", "TG_PROFILE", "overnight"));
    assertThat(paths.of("chmod 600 /home/me/.tg_config of overnight"))
        .isEqualTo("chmod 600 /home/me/.tg_config of overnight");
  }

  /** A client's library logs an address, JSON or a header and not the variable. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /?q=pa%24%24+w%22%C3%B6%2Fcanary HTTP/1.1",
        "GET /?q=pa%24%24%20w%22%c3%b6%2fcanary HTTP/1.1",
        "{\"a\": \"pa$$ w\\\"ö/canary\"}",
        "{\"a\": \"pa$$ w\\\"ö\\/canary\"}",
        "pa\\$\\$\\ w\\\"\\ö/canary",
        "pa$$ w\"ö/\ncanary",
        "pa$$ w\"ö/can\r\nary"
      })
  void whatIsKnownIsFoundHoweverItIsWritten(String line) {
    Redaction redaction = Redaction.of(Map.of("A_KEY", "pa$$ w\"ö/canary"));
    assertThat(redaction.of(line)).contains(Redaction.MASK).doesNotContain("canary", "ary");
  }

  /** If they were removed, the visible parts would join to form the secret. */
  @ParameterizedTest
  @ValueSource(strings = {"\u200b", "\u0000", "\u001b[1;31m", "\uFE0F", "\u034F", "\u3164"})
  void whatIsKnownIsFoundAboutWhatIsNotSeen(String unseen) {
    Redaction redaction = Redaction.of(Map.of("A_KEY", "canary-one"));
    assertThat(redaction.of("a can" + unseen + "ary-one b")).isEqualTo("a *** b");
  }

  @Test
  void whatIsKnownIsFoundInBase64() {
    Redaction redaction = Redaction.of(Map.of("A_KEY", "canary?>of?>mine"));
    for (String before : List.of("", "a", "ab", "user:", "me:")) {
      for (String after : List.of("", "b", "bc")) {
        byte[] whole = (before + "canary?>of?>mine" + after).getBytes(StandardCharsets.UTF_8);
        for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
          String line = encoder.encodeToString(whole);
          assertThat(redaction.of("x " + line)).hasSizeLessThan(line.length() - 10);
        }
      }
    }
  }

  /**
   * As programs in several languages write a value that has every character that some of them
   * escape.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "canary\"o'f\\m<i&n>e$ä `~!(*)/x",
        // JSON from Jackson, Python, Go, PHP and Gson; JSON within JSON
        "canary\\\"o'f\\\\m<i&n>e$ä `~!(*)/x",
        "canary\\\"o'f\\\\m<i&n>e$\\u00e4 `~!(*)/x",
        "canary\\\"o'f\\\\m\\u003ci\\u0026n\\u003ee$ä `~!(*)/x",
        "canary\\\"o'f\\\\m<i&n>e$ä `~!(*)\\/x",
        "canary\\\"o\\u0027f\\\\m\\u003ci\\u0026n\\u003ee$ä `~!(*)/x",
        "canary\\\\\\\"o'f\\\\\\\\m<i&n>e$ä `~!(*)/x",
        // addresses from Java, Python and JavaScript
        "canary%22o%27f%5Cm%3Ci%26n%3Ee%24%C3%A4+%60%7E%21%28*%29%2Fx",
        "canary%22o%27f%5Cm%3Ci%26n%3Ee%24%C3%A4%20%60~%21%28%2A%29%2Fx",
        "canary%22o%27f%5Cm%3Ci%26n%3Ee%24%C3%A4%20%60~%21%28%2A%29/x",
        "canary%22o'f%5Cm%3Ci%26n%3Ee%24%C3%A4%20%60~!(*)%2Fx",
        // HTML from Python and Go
        "canary&quot;o&#x27;f\\m&lt;i&amp;n&gt;e$ä `~!(*)/x",
        "canary&#34;o&#39;f\\m&lt;i&amp;n&gt;e$ä `~!(*)/x",
        // YAML, and shell quotes of four kinds
        "canary\"o''f\\m<i&n>e$ä `~!(*)/x",
        "canary\"o'\\''f\\m<i&n>e$ä `~!(*)/x",
        "canary\\\"o'f\\\\m<i&n>e\\$ä \\`~!(*)/x",
        "canary\"o\\'f\\\\m<i&n>e$ä `~!(*)/x",
        "canary\\\"o\\'f\\\\m\\<i\\&n\\>e\\$ä\\ \\`\\~\\!\\(\\*\\)/x"
      })
  void whateverCharactersAKnownOneHasItIsFound(String written) {
    Redaction redaction = Redaction.of(Map.of("A_KEY", "canary\"o'f\\m<i&n>e$ä `~!(*)/x"));
    assertThat(redaction.of("of [" + written + "] and more")).isEqualTo("of [***] and more");
  }

  @Test
  void whatIsKnownIsFoundAcrossItsOwnLineEnds() {
    Redaction redaction = Redaction.of(Map.of("A_KEY", "canary 12 of a\nwhole file\n"));
    for (String written :
        List.of(
            "canary 12 of a\nwhole file",
            "canary 12 of a\\nwhole file",
            "canary%2012%20of%20a%0Awhole%20file",
            "canary 12 of a")) {
      assertThat(redaction.of("of [" + written + "] and more")).isEqualTo("of [***] and more");
    }
    assertThat(redaction.of("the whole file"))
        .as("as any text may say")
        .isEqualTo("the whole file");
  }

  @Test
  void hostileTextDoesNotHoldTheMaskUp() {
    for (String part :
        List.of(
            "a", "token=", "a=", "-----BEGIN PRIVATE KEY-----", "://a:", "A1b/", "eyJ", "x@:")) {
      String text = part.repeat(65_536 / part.length());
      assertTimeoutPreemptively(
          Duration.ofSeconds(20), () -> Redaction.of(Map.of("A_KEY", "aaaaaaaab")).of(text));
    }
  }

  @Test
  void anEventLosesTheSecretsItQuotes() {
    AttemptId attempt = new AttemptId(new TrialId(1), 1);
    Redaction redaction = Redaction.byForm().knowing("canary-of-mine");
    assertThat(redaction.of(done(attempt, "saw canary-of-mine")))
        .isEqualTo(done(attempt, "saw ***"));
    Event plain = done(attempt, "saw nothing");
    assertThat(redaction.of(plain)).isSameAs(plain);
  }

  private static Event done(AttemptId attempt, String said) {
    return new Event.RemedyStepDone(attempt, 0, StepEnd.succeeded(Statement.words(said)));
  }

  /** Names of settings and figures are keys of maps, which other people write too. */
  @Test
  void anEventLosesTheSecretsInNamesToo() {
    Redaction redaction = Redaction.of(Map.of("MY_KEY", "canary-1\n"));
    Event event =
        new Event.FindingMade(
            new Finding(
                AttemptId.parse("t0001a1"),
                Finding.MECHANISMS,
                Statement.words("seen"),
                List.of(),
                new TreeMap<>(Map.of("of canary-1", 28.0, "gather", 1.0))));
    assertThat(redaction.of(event).toString())
        .contains("of ***", "gather")
        .doesNotContain("canary");
  }
}
