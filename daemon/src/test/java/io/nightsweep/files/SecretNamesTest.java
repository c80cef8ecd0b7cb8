package io.nightsweep.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names of secrets are distinguished from names that people need. */
@Tag("guard")
@Tag("slow")
class SecretNamesTest {
  /** Names of several words, or in capitals; a single lower-case word is prose. */
  private static final Pattern NAME =
      Pattern.compile(
          "(?<!\\w)(?:[A-Za-z][A-Za-z0-9]*+(?:[_-][A-Za-z0-9]++)++|[a-z]++[A-Z][A-Za-z0-9]*+|[A-Z]{3,}+)(?!\\w)");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "TG_CHAT_ID",
        "HF_TOKEN",
        "AWS_ACCESS_KEY_ID",
        "NPM_AUTHTOKEN",
        "GPG_PASSPHRASE",
        "DB_PASS",
        "PGPASSWORD",
        "MYSQL_PWD",
        "HFTOKEN",
        "SENTRY_DSN",
        "DISCORD_WEBHOOK",
        "SLACK_WEBHOOK_URL",
        "AZURE_SAS",
        "hf-token",
        "api-key",
        "client-secret",
        "accessToken",
        "SSHPASS",
        "TOKENS",
        "HF_PAT",
        "REDISCLI_AUTH",
        "MY_KEY",
        "apiKey",
        "APIKey",
        "AccountKey",
        "private_key",
        "X_COOKIE",
        "GOOGLE_CREDENTIALS",
        "DB_PASSWORD_2",
        "TOKEN1",
        "AZURE_CONNECTION_STRING",
        "key",
        "db_pass",
        "HF_TOKEN_READ",
        "WANDB_API_KEY_TEAM",
        "DB_PASSWORD_PROD",
        "AWS_SECRET_ACCESS_KEY_OLD",
        "X_JWT"
      })
  void isSecret(String name) {
    assertThat(SecretNames.isSecret(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "NCCL_BUFFSIZE",
        "TOKEN_BUDGET",
        "MAX_TOKEN_LENGTH",
        "EOS_TOKEN_STRING",
        "API_VERSION_TEST",
        "MONKEY",
        "KEYBOARD",
        "PATH",
        "PWD",
        "OLDPWD",
        "PASSES",
        "tokens",
        "MAX_TOKENS",
        "tokensPerSecond",
        "tokens_per_step",
        "eos_token",
        "pad_token_id",
        "NCCL_IB_PKEY",
        "NCCL_ALGO_PAT",
        "xla_disable_hlo_passes",
        "xla_gpu_dump_pass",
        "forward_pass",
        "XLA_DUMP_PASS",
        "tokenizer_path",
        "SLURM_JOB_ID",
        "SSH_AUTH_SOCK",
        "sort_key",
        "cache_key",
        "COMPASS",
        "BYPASS",
        "compat",
        "atlas",
        "author",
        "authority",
        "",
        "_",
        "12"
      })
  void isNoSecret(String name) {
    assertThat(SecretNames.isSecret(name)).isFalse();
  }

  /** A packed sweep file, catalog or playbook that the program itself refuses is useless. */
  @Test
  void nothingThatIsShippedIsNamedOrFormedLikeOne() throws IOException {
    List<String> alarms = new ArrayList<>();
    for (String folder : List.of("../flags", "../playbooks", "../templates")) {
      try (Stream<Path> files = Files.walk(Path.of(folder))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String text = Files.readString(file);
          NAME.matcher(text)
              .results()
              .map(MatchResult::group)
              .filter(SecretNames::isSecret)
              .forEach(name -> alarms.add(file + ": " + name));
          if (!Masking.of(text).equals(text)) {
            alarms.add(file + ": it is masked");
          }
        }
      }
    }
    assertThat(alarms).isEmpty();
  }
}
