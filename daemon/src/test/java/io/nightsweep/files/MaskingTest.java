package io.nightsweep.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A text of any length is masked on a small stack. */
@Tag("guard")
@Timeout(120)
@Tag("slow")
class MaskingTest {
  private static final int HOSTILE_CHARACTERS = 1 << 18;
  private static final long SMALL_STACK_BYTES = 256 << 10;

  @ParameterizedTest
  @ValueSource(ints = {1_000, 2_048, 16_384, 65_536, 1 << 20})
  void aPrivateKeyOnOneLineIsMaskedWhole(int characters) throws Exception {
    for (String lineEnd : new String[] {"", "\\n", "\\\\n", "\n"}) {
      String body = ("canaryCanary+/09" + lineEnd).repeat(characters / 16);
      assertThat(masked("\"key\": \"-----BEGIN RSA PRIVATE KEY-----" + body + "\", \"next\": 1"))
          .isEqualTo("\"key\": \"***\", \"next\": 1");
    }
  }

  /** A program that prints a secret again does not print its name again. */
  @Test
  void aNamedSecretIsMaskedWhereItStandsAloneToo() {
    assertThat(Masking.of("DEPLOY_TOKEN=canary0canary1 begins\nusing canary0canary1 for n1"))
        .isEqualTo("DEPLOY_TOKEN=*** begins\nusing *** for n1");
    assertThat(Masking.of("PASSWORD=undefinedvalue\nan undefinedvalue of 12 tokens"))
        .isEqualTo("PASSWORD=***\nan undefinedvalue of 12 tokens");
  }

  /** The beginning of each form, and the text that then repeats. */
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "1234567890:,a",
        "hf_,a",
        "ghp_,a",
        "github_pat_,a_",
        "glpat-,a-",
        "sk-,-",
        "xoxb-,a-",
        "hooks.slack.com/services/,a/",
        "nvapi-,a",
        "dckr_pat_,a",
        "npm_,a",
        "AIza,a",
        "AKIA,A",
        "`://`,`a:`",
        "`://a:`,b",
        "`://`,`://a:a`",
        "-----BEGIN PRIVATE KEY-----,A",
        "-----BEGIN PRIVATE KEY-----,\\n",
        "-----BEGIN PRIVATE KEY-----,A\\\\r",
        "`-----BEGIN `,`-----BEGIN `",
        "`-----BEGIN `,`A `",
        "eyJ,a",
        "eyJ,eyJ-",
        "eyJ,aaaaaaaaaaa.",
        "token=,a",
        // Characters of one and of two code units, alternately.
        "token=,a\uD83D\uDE00",
        "token=,\u200Ba",
        "secret:,`token: `",
        "--,--a-",
        "`--token `,--",
        "Authorization:,` token`",
        "`Bearer `,`bearer `"
      })
  void noRepetitionOverflowsTheStack(String start, String unit) throws Exception {
    String hostile = start + unit.repeat(HOSTILE_CHARACTERS / unit.length());
    assertThat(masked(hostile).length()).isLessThanOrEqualTo(hostile.length());
  }

  @Test
  void aLongValueOfAnyCharactersIsMaskedToItsEnd() throws Exception {
    assertThat(masked("x password=" + "c\uD83D\uDE00".repeat(100_000) + " y"))
        .isEqualTo("x password=*** y");
  }

  private static String masked(String text) throws Exception {
    FutureTask<String> masking = new FutureTask<>(() -> Masking.of(text));
    Thread thread = new Thread(null, masking, "small stack", SMALL_STACK_BYTES);
    thread.start();
    return masking.get();
  }

  /** The rest of a token after a cut has no form by which it can be recognised. */
  @Test
  void aTextOfSomebodyIsMaskedBeforeItIsCut() {
    for (int before = 0; before < 100; before++) {
      assertThat(Plain.text("x".repeat(before) + " hf_canaryInTheLog0123456789 end", 60))
          .doesNotContain("canary");
    }
  }
}
