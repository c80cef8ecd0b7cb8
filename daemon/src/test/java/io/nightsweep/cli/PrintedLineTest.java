package io.nightsweep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The step and the figure of a line that a person pasted. */
@Tag("people")
class PrintedLineTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          step 9 1006 tok/s                                    ~ 9  ~ 1006    ~ tok/s
          step 9 of 20: 151.2 MB/s                             ~ 9  ~ 151.2   ~ MB/s
          [12/100] loss=2.5                                    ~ 12 ~ 2.5     ~
          iter: 7, time 0.25 s                                 ~ 7  ~ 0.25    ~ s
          0.5 s at step 3: 17.25 it/s                          ~ 3  ~ 17.25   ~ it/s
          round 1: 12.5 MB/s                                   ~ 1  ~ 12.5    ~ MB/s
          Epoch 1/10 step 20/100 loss 2.5 1,006.5 tok/s/device ~ 20 ~ 1,006.5 ~ tok/s/device
          2026-11-26 15:59:57 iteration=7 took 12 seconds      ~ 7  ~ 12      ~ s
          step9 sha256: 4123456 blocks                         ~ 9  ~ 4123456 ~
          3 of sha256: 4123456 hashes in 0.99s                 ~ 3  ~ 0.99    ~ s
          12%|#2     | 12/100 [00:05<00:38,  2.31it/s]         ~ 12 ~ 2.31    ~ it/s
          completed step: 9, seconds: 3.19, loss: 10.8.        ~ 9  ~ 10.8    ~
          """)
  void theNumbersThatWordsAndUnitsTellAreRead(
      String line, String step, String value, @Nullable String unit) {
    PrintedLine read = PrintedLine.of(line).orElseThrow();
    assertThat(read.unit()).isEqualTo(Optional.ofNullable(unit));
    assertThat(read.words())
        .isEqualTo("step " + step + ", value " + value + (unit == null ? "" : " " + unit));
    Matcher matcher = Pattern.compile(read.pattern()).matcher(line);
    assertThat(matcher.find()).isTrue();
    assertThat(matcher.group("step")).isEqualTo(step);
    assertThat(matcher.group("value")).isEqualTo(value);
  }

  /** Another step's line has other digits, and fewer or more of them. */
  @Test
  void thePatternFitsTheLinesOfOtherSteps() {
    String pattern =
        PrintedLine.of("2026-11-26 15:59:57 rank0 step 9 of 10: 1,006.5 tok/s")
            .orElseThrow()
            .pattern();
    Matcher later =
        Pattern.compile(pattern).matcher("2026-11-27 00:00:01 rank0 step 10 of 10: 987.5 tok/s");
    assertThat(later.find()).isTrue();
    assertThat(later.group("step")).isEqualTo("10");
    assertThat(later.group("value")).isEqualTo("987.5");
  }

  @Test
  void aProgressBarFitsWhileItGrows() {
    String pattern =
        PrintedLine.of(" 40%|####      | 4/10 [00:01<00:02, 10.33it/s]").orElseThrow().pattern();
    for (String other :
        List.of(
            " 12%|#2        | 12/100 [00:05<00:38,  2.31it/s]",
            "100%|██████████| 10/10 [00:01<00:00,  9.10it/s]")) {
      Matcher matcher = Pattern.compile(pattern).matcher(other);
      assertThat(matcher.find()).as("%s in %s", pattern, other).isTrue();
      assertThat(other).contains("| " + matcher.group("step") + "/");
      assertThat(other).contains(matcher.group("value") + "it/s");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      textBlock =
          """
          AES-128-CBC     1283920.12k  1402001.32k  1450000.00k            ~ counts the steps
          Doing sha256 for 1s on 64 size blocks: 4123456 sha256's in 0.99s ~ counts the steps
          speed 151.2 MB/s                                                 ~ counts the steps
          done                                                             ~ counts the steps
          step 9 of sha256                                                 ~ is measured
          """)
  void aLineThatLacksOneOfThemSaysSo(String line, String lack) {
    assertThat(PrintedLine.of(line)).isEmpty();
    assertThat(PrintedLine.lack(line)).endsWith(lack);
  }
}
