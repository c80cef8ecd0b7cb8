package io.nightsweep.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("guard")
class SummaryCsvTest {
  /** Reasons and case names are written by programs. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "=HYPERLINK(A1)|'=HYPERLINK(A1)",
        "+1|'+1",
        "@SUM(A1)|'@SUM(A1)",
        "-cmd|'-cmd",
        "=a,b|\"'=a,b\"",
        "-1.5|-1.5",
        "-.5E-3|-.5E-3",
        "all-reduce|all-reduce"
      })
  void noCellBeginsAsAFormula(String cell, String written) {
    assertThat(SummaryCsv.quoted(cell)).isEqualTo(written);
  }
}
