package io.nightsweep.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A sweep file's content goes into journals and reports: a secret in it is refused at any place.
 */
@Tag("guard")
class SecretsInFilesTest {
  private static final String FILE =
      """
      model: probe
      parallelism: n=1
      slot: {nodelist: n1}
      workload: {kind: command, command: ./run.sh, pattern: 'step (?<step>\\d+) (?<value>\\S+)', steps: 20, windowFrom: 5, env: {FIRST: a}}
      profiles:
        faster: {env: {SPEED: "2"}}
      plan: kernels
      metric: {name: speed, unit: x, better: higher}
      budget: {jobs: 20, hours: 1}
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "env: {HF_TOKEN: abcdefgh}",
        "env: {FIRST: hf_abcdefghijklmnopqrstuvwxyz}",
        "env: {FIRST: 'Authorization: Bearer abcdefgh1234'}",
        "env: {AWS_SECRET_ACCESS_KEY: abcdefgh}",
        "env: {DB_PASS: abcdefgh}",
        "env: {DB_PASS: 12345678}",
        "env: {PGPASSWORD: abcdefgh}",
        "env: {MYSQL_PWD: abcdefgh}",
        "env: {HFTOKEN: abcdefgh}",
        "env: {SENTRY_DSN: abcdefgh}",
        "env: {DISCORD_WEBHOOK: abcdefgh}",
        "env: {AZURE: 'sv=2022&sig=abcdefgh1234'}",
        "env: {REDIS_URL: 'redis://:abcdefgh1234@h/0'}"
      })
  void aSecretIsRefusedWithItsPlaceAndIsNotRepeated(String env) {
    String text = FILE.replace("env: {FIRST: a}", env);
    assertThatThrownBy(
            () -> SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml"))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("sweep.yaml:4:")
        .hasMessageContaining("secret")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("abcdefghijkl", "abcdefgh1234"));
  }

  /** Every place where a person could write one. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "configTags: {short: {DATA: hf_canarycanarycanarycanary}}",
        "configTags: {short: {MY_PASSWORD: canary-of-a-tag}}",
        "configTags: {hf_canarycanarycanarycanary: {DATA: a}}",
        "transport: {ssh: login1, proxy: 'http://me:canary-of-a-proxy@proxy:3128'}",
        "catalogs: ['https://me:canary-of-a-catalog@host/c.yaml']",
        "language: 'Bearer canarycanarycanary'",
        "policy: {notes: 'pull with --password canary-of-a-policy'}"
      })
  void aSecretIsRefusedInAnyKeyAndIsNotRepeated(String line) {
    assertRefused(FILE + line + "\n", 10, "secret");
  }

  /** Like MaxText's {@code hf_access_token}. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "overrides: {hf_access_token: canary-of-an-override}",
        "overrides: {hf_access_token: [canary-of-an-override]}",
        "overrides: {wandb: {api_key: canary-of-an-override}}",
        "flags: {--api-key: canary-of-a-flag}",
        "env: {HF_TOKEN: canary-of-a-profile}"
      })
  void aSecretInAProfileIsRefusedByItsNameAndIsNotRepeated(String settings) {
    assertRefused(FILE.replace("env: {SPEED: \"2\"}", settings), 6, "named like a secret");
  }

  @Test
  void aSecretInWhatTheSweepAsksOfSbatchIsRefusedAndIsNotRepeated() {
    String sbatch = "windowFrom: 5, sbatch: ['--comment=HF_TOKEN=canary-of-a-comment']";
    assertRefused(FILE.replace("windowFrom: 5", sbatch), 4, "secret");
  }

  /** A service account's key is one line of 1.7 kB or more. */
  @Test
  void aPrivateKeyOnOneLineIsRefusedWithItsPlace() {
    String key = "-----BEGIN PRIVATE KEY-----\\n" + "canary12".repeat(8_000) + "\\n";
    String text = FILE.replace("FIRST: a", "FIRST: \"" + key + "\"");
    assertRefused(text, 4, "secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "# old: HF_TOKEN=hf_canarycanarycanarycanary",
        "# DB_PASS: canarycanary",
        "language: en # hf_canarycanarycanarycanary"
      })
  void aSecretInACommentIsRefusedAndIsNotRepeated(String line) {
    assertRefused(FILE + line + "\n", 10, "a comment that has the form of a secret");
  }

  /** The file is kept with the sweep, including parts that YAML reads but does not return. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "language: &hf_canarycanarycanarycanary en",
        "language: !hf_canarycanarycanarycanary en",
        "catalogs: [&hf_canarycanarycanarycanary a]"
      })
  void aSecretBesideTheDocumentIsRefusedAndIsNotRepeated(String line) {
    assertRefused(FILE + line + "\n", 10, "tag or directive that has the form of a secret");
  }

  @Test
  void aSecretInADirectiveIsRefusedAndIsNotRepeated() {
    assertRefused(
        "%TAG !a! tag:hf_canarycanarycanarycanary,2026:\n---\n" + FILE, 1, "tag or directive");
  }

  /** The value has no typical form or name: the person's own shell identifies it. */
  @Test
  void whatAVariableHoldsIsRefusedWhereverItStands(@TempDir Path folder) throws Exception {
    Map<String, String> environment =
        Map.of("MY_TOKEN", " Zq81kdLs92mZ77abcd\n", "DB_PASS", "short", "HOME", "/home/anybody");
    Path file = folder.resolve("sweep.yaml");
    for (String spoilt :
        List.of(
            FILE.replace("FIRST: a", "FIRST: Zq81kdLs92mZ77abcd"),
            FILE.replace("FIRST: a", "Zq81kdLs92mZ77abcd: a"),
            FILE.replace("./run.sh", "'./run.sh --with=Zq81kdLs92mZ77abcd'"),
            FILE.replace("plan: kernels", "plan: kernels # Zq81kdLs92mZ77abcd"))) {
      Files.writeString(file, spoilt);
      assertThatThrownBy(() -> SweepFile.load(file, environment))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("what your variable MY_TOKEN holds")
          .hasMessageNotContaining("Zq81kdLs92mZ77abcd");
    }
    Files.writeString(file, FILE.replace("./run.sh", "/home/anybody/short"));
    assertThat(SweepFile.load(file, environment)).isNotNull();
  }

  /** JSON and YAML have their own escapes for quotes, backslashes and line ends. */
  @Test
  void whatAVariableHoldsIsRefusedHoweverItIsWritten(@TempDir Path folder) throws Exception {
    Map<String, String> environment = Map.of("MY_TOKEN", "Zq8\"k'd\\Ls9\n2mZ77ab");
    Path file = folder.resolve("sweep.yaml");
    for (String written :
        List.of(
            "\"Zq8\\\"k'd\\\\Ls9\\n2mZ77ab\"",
            "\"\\u005aq8\\x22k'd\\\\Ls9\\n2mZ77ab\"",
            "'Zq8\"k''d\\Ls9\n\n  2mZ77ab'",
            "a # Zq8%22k%27d%5CLs9%0A2mZ77ab",
            "a # Basic bWU6WnE4Imsn" + "ZFxMczkKMm1aNzdhYg==")) {
      Files.writeString(file, FILE.replace("FIRST: a", "FIRST: " + written));
      assertThatThrownBy(() -> SweepFile.load(file, environment))
          .as(written)
          .isInstanceOf(InvalidInputException.class)
          .hasMessageNotContaining("Ls9");
    }
  }

  /** The contents of catalogs, plans and playbooks are journaled too. */
  @Test
  void whatAVariableOfTheUserHoldsIsRefusedInAFileThatTheSweepNames(@TempDir Path folder)
      throws Exception {
    Map<String, String> environment = Map.of("MY_TOKEN", "Zq81kdLs92mZ77abcd");
    Path file = folder.resolve("sweep.yaml");
    Files.writeString(file, FILE + "playbook: mine.yaml\n");
    Path playbook = folder.resolve("mine.yaml");
    Files.writeString(playbook, "about: Nothing of its own.\nextends: common\n");
    assertThat(SweepFile.load(file, environment)).isNotNull();
    Files.writeString(playbook, "about: By Zq81kdLs92mZ77abcd.\nextends: common\n");
    assertThatThrownBy(() -> SweepFile.load(file, environment))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("mine.yaml:1:11")
        .hasMessageContaining("what your variable MY_TOKEN holds")
        .hasMessageNotContaining("Zq81kdLs92mZ77abcd");
  }

  @Test
  void aReferenceAndANumberAreNoSecrets() throws Exception {
    String text =
        FILE.replace("FIRST: a", "HF_TOKEN: $HF_TOKEN, eos_token: 2, MY_KEY: 12, A_TOKEN: false");
    assertThat(SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml"))))
        .isNotNull();
  }

  /** A number is expected: the message quotes the text found there, cut to a length. */
  @Test
  void whatWasFoundInsteadIsMaskedBeforeItIsCut() {
    for (int before = 1; before < 60; before++) {
      String text = "x".repeat(before) + " hf_canarycanarycanarycanary";
      assertThat(
              new Yaml.Scalar(
                      new Place("sweep.yaml", 1, 1),
                      text,
                      Yaml.Scalar.Type.TEXT,
                      Yaml.Scalar.Notation.QUOTED)
                  .describe())
          .doesNotContain("canary");
    }
  }

  private static void assertRefused(String text, int line, String saying) {
    assertThatThrownBy(
            () -> SweepFile.parse("sweep.yaml", text, Resources.beside(Path.of("sweep.yaml"))))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("sweep.yaml:" + line + ":")
        .hasMessageContaining(saying)
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("canary"));
  }
}
