package io.nightsweep.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nightsweep.sweep.AttemptId;
import io.nightsweep.sweep.Event;
import io.nightsweep.sweep.Finding;
import io.nightsweep.sweep.TrialId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        "GET /bucket/x?X-Amz-Date=20260101&X-Amz-Signature=canarycanarycanary HTTP/1.1"
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
        "the token budget is spent, and no secret is kept; password is not needed"
      })
  void whatIsNoSecretStays(String line) {
    assertThat(Redaction.byForm().of(line)).isEqualTo(line);
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
    assertThat(Redaction.isSecretName("TG_CHAT_ID")).isTrue();
    assertThat(Redaction.isSecretName("HF_TOKEN")).isTrue();
    assertThat(Redaction.isSecretName("AWS_ACCESS_KEY_ID")).isTrue();
    assertThat(Redaction.isSecretName("NPM_AUTHTOKEN")).isTrue();
    assertThat(Redaction.isSecretName("GPG_PASSPHRASE")).isTrue();
    assertThat(Redaction.isSecretName("NCCL_BUFFSIZE")).isFalse();
    assertThat(Redaction.isSecretName("MONKEY")).isFalse();
  }

  @Test
  void anEventLosesTheSecretsItQuotes() {
    AttemptId attempt = new AttemptId(new TrialId(1), 1);
    Redaction redaction = Redaction.byForm().knowing("canary-of-mine");
    assertThat(redaction.of(new Event.RemedyStepDone(attempt, 0, true, "saw canary-of-mine")))
        .isEqualTo(new Event.RemedyStepDone(attempt, 0, true, "saw ***"));
    Event plain = new Event.RemedyStepDone(attempt, 0, true, "saw nothing");
    assertThat(redaction.of(plain)).isSameAs(plain);
  }

  /** Names of settings and of figures are keys of maps, which others write as well. */
  @Test
  void anEventLosesTheSecretsInNamesToo() {
    Redaction redaction = Redaction.of(Map.of("MY_KEY", "canary-1\n"));
    Event event =
        new Event.FindingMade(
            new Finding(
                AttemptId.parse("t0001a1"),
                Finding.MECHANISMS,
                "seen",
                List.of(),
                new TreeMap<>(Map.of("of canary-1", 28.0, "gather", 1.0))));
    assertThat(redaction.of(event).toString())
        .contains("of ***", "gather")
        .doesNotContain("canary");
  }
}
