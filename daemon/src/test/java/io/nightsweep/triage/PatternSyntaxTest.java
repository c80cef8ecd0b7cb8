package io.nightsweep.triage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("joblog")
class PatternSyntaxTest {
  /** The engine searches bytes: from a two-byte letter it would take only the last byte. */
  @ParameterizedTest
  @ValueSource(
      strings = {"couldn[’']t load", "é+ lost", "lost …?", "\\Qa.b\\E", "\\p{Han}", "\\x{2019}"})
  void whatBytesCannotTellIsRefused(String pattern) {
    assertThat(PatternSyntax.fault(pattern))
        .hasValueSatisfying(f -> assertThat(f).contains("byte"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "couldn(?:’|')t load",
        "显存不足",
        "\\[ 内存 \\]",
        "naïve [a-z]+",
        "x\\x27y",
        "a{2,3}é b"
      })
  void otherLettersStandAlone(String pattern) {
    assertThat(PatternSyntax.fault(pattern)).isEmpty();
  }
}
