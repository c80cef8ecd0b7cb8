package io.nightsweep.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Invisible characters are neither obeyed nor hide a secret, and are defined once. */
@Tag("guard")
class UnseenTest {
  private static final String TOKEN = "hf_canaryInTheLog0123456789";

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 0x07, 0x08, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0xAD, 0x61C, 0x180E, 0x200B, 0x200C, 0x200D,
        0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xFEFF, 0xD800,
        0xDFFF, 0xFFF9, 0xE0001, 0xE0041
      })
  void eachIsMarkedAndHidesNoSecret(int unseen) {
    String it = new StringBuilder().appendCodePoint(unseen).toString();
    assertThat(Unseen.isIn("a" + it)).isTrue();
    assertThat(Unseen.marked("a" + it + "b\tc\nd")).isEqualTo("a\uFFFDb\tc\nd");
    assertThat(Unseen.onOneLine("a" + it + "b\tc\nd")).isEqualTo("a b c d");
    for (int at = 1; at < TOKEN.length(); at++) {
      String hidden = "key: " + TOKEN.substring(0, at) + it + TOKEN.substring(at) + " end";
      assertThat(Masking.of(hidden)).isEqualTo("key: *** end");
    }
    assertThat(Masking.of("key" + it + TOKEN + it + "end, hf_canary" + it + TOKEN.substring(3)))
        .doesNotContain("canary")
        .contains("key");
  }

  /** They are part of what people write, and stay if no secret is near. */
  @ParameterizedTest
  @ValueSource(ints = {0x034F, 0x115F, 0x1160, 0x17B4, 0x180B, 0x3164, 0xFE0F, 0xFFA0, 0xE0100})
  void whatIsShownAsNothingHidesNoSecret(int blank) {
    String it = Character.toString(blank);
    assertThat(Masking.of("key: hf_canary" + it + "InTheLog0123456789 end"))
        .isEqualTo("key: *** end");
    assertThat(Unseen.marked("a" + it)).isEqualTo(Masking.of("a" + it)).isEqualTo("a" + it);
  }

  @Test
  void coloursHideNoSecretAndSeenTextStays() {
    assertThat(Masking.of("a \u001b[1;31mhf_canaryIn\u001b[0mTheLog0123456789 b"))
        .isEqualTo("a *** b");
    assertThat(Masking.of("a \u001b]8;;x\u0007hf_canaryIn\u001b]8;;\u0007TheLog0123456789 b"))
        .isEqualTo("a *** b");
    String seen = "Ünïcödé 模型 \uD83D\uDE00 \t tab\n";
    assertThat(Unseen.marked(seen)).isEqualTo(seen);
    assertThat(Masking.of(seen)).isEqualTo(seen);
    assertThat(Unseen.isIn("模型 \uD83D\uDE00")).isFalse();
  }

  @Test
  void noOtherClassHasADefinitionOfItsOwn() throws IOException {
    try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
      List<String> others =
          sources
              .filter(p -> p.toString().endsWith(".java"))
              .filter(UnseenTest::definesControls)
              .map(p -> String.valueOf(p.getFileName()))
              .toList();
      assertThat(others).containsExactly("Unseen.java");
    }
  }

  private static boolean definesControls(Path source) {
    try {
      String text = Files.readString(source);
      return Stream.of("p{Cntrl}", "p{Cc}", "p{Cf}", "isISOControl", "u202", "u200", "\\u001b")
          .anyMatch(text::contains);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
